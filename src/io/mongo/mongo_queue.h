// MongoQueue: documents go to a server in batches of a size that it takes, in order, behind the back of what makes them (WriteBehind).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "io/bytes/write_behind.h"
#include "io/mongo/bson_handle.h"

namespace neardup {

class MongoQueue {
 public:
  static constexpr size_t kMostDocuments = 1000;   // of a batch
  static constexpr size_t kMostBytes = 16u << 20;  // of a batch, unless one document is larger; a message of MongoDB has at most 48 MB
  static constexpr size_t kMostWaiting = 3;        // batches

  using Documents = std::vector<Bson>;
  /// `write` is called by the thread; what it throws comes out of add() or finish().
  explicit MongoQueue(std::function<void(Documents&)> write);

  void add(Bson document);
  /// Returns when everything is written.
  void finish();

 private:
  void hand_over();

  Documents batch_;
  size_t batch_bytes_ = 0;
  WriteBehind<Documents> behind_;
};

}  // namespace neardup
