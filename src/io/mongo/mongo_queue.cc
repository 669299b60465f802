#include "io/mongo/mongo_queue.h"

#include <utility>

namespace neardup {

MongoQueue::MongoQueue(std::function<void(Documents&)> write) : behind_(kMostWaiting, std::move(write)) {}

void MongoQueue::add(Bson document) {
  if (!batch_.empty() && batch_bytes_ + document->len > kMostBytes) hand_over();
  batch_bytes_ += document->len;
  batch_.push_back(std::move(document));
  if (batch_.size() == kMostDocuments) hand_over();
}

void MongoQueue::hand_over() {
  behind_.put(std::exchange(batch_, {}));
  batch_bytes_ = 0;
}

void MongoQueue::finish() {
  if (!batch_.empty()) hand_over();
  behind_.finish();
}

}  // namespace neardup
