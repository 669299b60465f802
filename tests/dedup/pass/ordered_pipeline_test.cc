#include "dedup/pass/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

// Batches without records, which take their time to come.
class SlowSource final : public DocumentSource {
 public:
  SlowSource(uint32_t batches, milliseconds wait, bool waits) : batches_(batches), wait_(wait), waits_(waits) {}

  class SlowBatch final : public Batch {
   public:
    SlowBatch(milliseconds wait, bool fails) : wait_(wait), fails_(fails) {}
    void fetch(Need) override {
      std::this_thread::sleep_for(wait_);
      if (fails_) throw Error(ErrorCode::kInput, "the server is gone");
      fetched = true;
    }
    uint32_t read(Need, const Filter&, const Visitor&) override { return 0; }
    [[nodiscard]] uint32_t source() const noexcept override { return 0; }
    [[nodiscard]] uint64_t rows() const noexcept override { return 0; }
    [[nodiscard]] uint64_t input_bytes() const noexcept override { return 1; }
    bool fetched = false;

   private:
    milliseconds wait_;
    bool fails_;
  };

  std::unique_ptr<Batch> next() override {
    if (given_ == batches_) return nullptr;
    ++given_;
    return std::make_unique<SlowBatch>(wait_, given_ == fails_at);
  }
  void rewind() override { given_ = 0; }
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return "slow"; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return batches_; }
  [[nodiscard]] bool waits() const noexcept override { return waits_; }
  uint32_t fails_at = 0;

 private:
  const uint32_t batches_;
  const milliseconds wait_;
  const bool waits_;
  uint32_t given_ = 0;
};

bool fetched(const Batch& batch) {
  return dynamic_cast<const SlowSource::SlowBatch&>(batch).fetched;
}

void fetch_text(Batch& batch, uint64_t) {
  batch.fetch(Batch::Need::kText);
}

TEST(BatchLine, AllBatchesInOrderWithWorkersBelowTheNumberOfThreads) {
  for (const bool waits : {false, true}) {
    for (const uint32_t threads : {1u, 2u, 3u}) {
      SlowSource source(50, milliseconds(0), waits);
      std::atomic<uint32_t> at_once{0};
      std::atomic<uint32_t> most{0};
      std::vector<uint64_t> committed;
      std::vector<std::atomic<int>> in_slot(batch_slots(source, threads));
      for_each_batch(
          source, threads, {}, "x", fetch_text,
          [&](uint32_t worker, Batch& batch, uint64_t, size_t slot) {
            ASSERT_LT(worker, threads);
            ASSERT_EQ(in_slot.at(slot)++, 0);
            EXPECT_EQ(fetched(batch), waits);
            const uint32_t now = ++at_once;
            for (uint32_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::sleep_for(milliseconds(1));
            --at_once;
          },
          [&](Batch&, uint64_t ordinal, size_t slot) -> uint64_t {
            --in_slot.at(slot);
            committed.push_back(ordinal);
            return 0;
          });
      ASSERT_EQ(committed.size(), 50u);
      for (uint64_t i = 0; i < 50; ++i) EXPECT_EQ(committed[i], i);
      EXPECT_LE(most, threads) << "computing at once";
    }
  }
}

// Each fetch has a connection, of which a server has about a hundred.
TEST(BatchLine, FetchersAreBoundedUnlessThereAreAsManyThreads) {
  const SlowSource slow(0, milliseconds(0), true);
  const SlowSource fast(0, milliseconds(0), false);
  for (const uint32_t threads : {1u, 7u, 8u, 9u, 32u, 64u}) {
    const uint32_t fetchers = threads < 8 ? 4 * threads : std::max(threads, 32u);
    EXPECT_EQ(batch_slots(slow, threads), OrderedLine::slot_count(fetchers));
    EXPECT_EQ(batch_slots(fast, threads), OrderedLine::slot_count(threads));
  }
}

TEST(BatchLine, AnErrorOfFetchEndsTheLineInOrder) {
  SlowSource source(40, milliseconds(0), true);
  source.fails_at = 11;
  uint64_t committed = 0;
  EXPECT_THROW(for_each_batch(
                   source, 2, {}, "x", fetch_text, [](uint32_t, Batch&, uint64_t, size_t) {},
                   [&](Batch&, uint64_t, size_t) -> uint64_t { return ++committed, 0; }),
               Error);
  EXPECT_EQ(committed, 10u);
}

}  // namespace
}  // namespace neardup
