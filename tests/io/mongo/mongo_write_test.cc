#include "io/mongo/mongo_write.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace neardup {
namespace {

const bool kWritesLoaded = (load_mongo_library(), true);

Bson numbered(int32_t number) {
  Bson document(bson_new());
  bson_append_int32(document.get(), "n", -1, number);
  return document;
}

TEST(MongoQueue, KeepsOrderAndBounds) {
  std::vector<int64_t> seen;
  size_t largest = 0;
  MongoQueue queue([&](MongoQueue::Documents& documents) {
    largest = std::max(largest, documents.size());
    for (const Bson& document : documents) {
      bson_iter_t iter;
      ASSERT_TRUE(bson_iter_init_find(&iter, document.get(), "n"));
      seen.push_back(bson_iter_as_int64(&iter));
    }
  });
  constexpr int32_t kDocuments = 12'345;
  for (int32_t i = 0; i < kDocuments; ++i) queue.add(numbered(i));
  queue.finish();
  ASSERT_EQ(seen.size(), size_t{kDocuments});
  for (size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], static_cast<int64_t>(i));
  EXPECT_EQ(largest, MongoQueue::kMaxDocuments);
}

TEST(MongoQueue, CutsByBytes) {
  std::vector<size_t> sizes;
  MongoQueue queue([&](MongoQueue::Documents& documents) { sizes.push_back(documents.size()); });
  const std::string text(7u << 20, 'x');
  for (int i = 0; i < 5; ++i) {
    Bson document(bson_new());
    bson_append_utf8(document.get(), "t", -1, text.data(), static_cast<int>(text.size()));
    queue.add(std::move(document));
  }
  queue.finish();
  EXPECT_EQ(sizes, (std::vector<size_t>{2, 2, 1}));
}

TEST(MongoQueue, ErrorsComeOut) {
  MongoQueue queue([](MongoQueue::Documents&) { throw std::runtime_error("away"); });
  EXPECT_THROW(
      {
        for (int32_t i = 0; i < 100'000; ++i) queue.add(numbered(i));  // it would wait for ever if the error were not seen
        queue.finish();
      },
      std::runtime_error);
}

TEST(MongoQueue, GivesUpWhatWaits) {
  std::atomic<size_t> written{0};
  {
    MongoQueue queue([&](MongoQueue::Documents& documents) { written += documents.size(); });
    queue.add(numbered(1));
  }
  EXPECT_EQ(written, 0u);
}

}  // namespace
}  // namespace neardup
