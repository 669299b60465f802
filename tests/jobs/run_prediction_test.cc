#include "neardup/tools/run_prediction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace neardup {
namespace {

constexpr RunSpeed kSpeed{.sketch_ns = 1000, .features_ns = 500, .features = 20, .key_ns = 50};

RunPrediction predicted(uint64_t documents, uint64_t memory, const RunSpeed& speed = kSpeed) {
  Options options;
  options.threads = 2;
  options.memory = memory;
  return predict_run(options, plan_run(options), {.documents = documents, .text_bytes = 150}, speed);
}

// The 95 % interval of an estimate of 0.5, as tables of MinHash give it.
TEST(RunPrediction, IntervalsOfEstimates) {
  const auto expect = [](uint32_t permutations, double low, double high) {
    const EstimateInterval interval = estimate_interval(0.5, permutations);
    EXPECT_NEAR(interval.low, low, 0.0005) << permutations;
    EXPECT_NEAR(interval.high, high, 0.0005) << permutations;
  };
  expect(10, 0.190, 0.810);
  expect(100, 0.402, 0.598);
  expect(500, 0.456, 0.544);
  expect(1000, 0.469, 0.531);
  EXPECT_EQ(estimate_interval(1, 128).low, 1);
  EXPECT_EQ(estimate_interval(0.01, 10).low, 0);
  EXPECT_EQ(estimate_interval(0.5, 0).high, 1);
}

// Runs of words-5 over texts with about 20 features, measured: docs/big-runs.md and bench/README.md. 10^9 bytes.
TEST(RunPrediction, MemoryAndDiskAreThoseOfMeasuredRuns) {
  const uint64_t budget = uint64_t{6} << 30;
  const auto near = [](uint64_t bytes, double measured_gb, double share) {
    EXPECT_NEAR(static_cast<double>(bytes) / 1e9, measured_gb, share * measured_gb);
  };
  const RunPrediction large = predicted(50'000'000, budget);
  near(large.memory_bytes, 5.21, 0.15);
  near(large.checkpoint_bytes, 18.98, 0.05);
  near(large.temporary_bytes, 13.59, 0.15);
  const RunPrediction small = predicted(5'000'000, budget);
  near(small.memory_bytes, 1.46, 0.15);
  near(small.checkpoint_bytes, 1.89, 0.05);
  near(predicted(10'000'000, uint64_t{512} << 20).memory_bytes, 0.61, 0.15);
  near(predicted(10'000'000, uint64_t{12} << 30).memory_bytes, 2.467, 0.05);
  near(predicted(1'000'000, uint64_t{12} << 30).memory_bytes, 0.287, 0.1);
}

// With --work that run took 133 seconds, and the prediction without checkpoints was 55 to 99. It left no record then.
TEST(RunPrediction, CheckpointsTakeTime) {
  const RunPrediction large = predicted(50'000'000, uint64_t{6} << 30);
  const double for_record =
      large.checkpoint_seconds * static_cast<double>(large.record_bytes) / static_cast<double>(large.checkpoint_bytes + large.record_bytes);
  EXPECT_NEAR(large.checkpoint_seconds - for_record, 133 - 99, 5);
  // A run over 300,000 documents with ids of 51 bytes, none removed, left 39,926,232 bytes.
  EXPECT_NEAR(static_cast<double>(predicted(300'000, uint64_t{6} << 30).record_bytes), 39'926'232, 0.15 * 39'926'232);
}

TEST(RunPrediction, CostsGrowWithTheCorpus) {
  RunPrediction before;
  for (const uint64_t documents : {1'000, 1'000'000, 1'000'000'000}) {
    const RunPrediction now = predicted(documents, uint64_t{1} << 30);
    EXPECT_GT(now.memory_bytes, before.memory_bytes);
    EXPECT_GE(now.temporary_bytes, before.temporary_bytes);
    EXPECT_GT(now.seconds(), before.seconds());
    before = now;
  }
  EXPECT_EQ(predicted(1000, uint64_t{1} << 30).temporary_bytes, 0u);
}

TEST(RunPrediction, FalseCandidatesFollowTheBands) {
  const RunPrediction costs = predicted(1000, uint64_t{1} << 30);
  ASSERT_EQ(costs.false_candidates.size(), 7u);
  for (const auto& row : costs.false_candidates) {
    EXPECT_NEAR(row.proposed, 499500 * (1 - std::pow(1 - std::pow(row.similarity, 6), 21)), 1e-3);
    EXPECT_LE(row.read, row.proposed);
  }
  // docs/parameters.md: a pair of similarity 0.5 passes the filter with probability 0.013, and the rows of its band agree already.
  const auto& half = costs.false_candidates.back();
  EXPECT_GT(half.read / half.proposed, 0.013);
  EXPECT_LT(half.read / half.proposed, 0.08);
}

TEST(RunPrediction, MeasuresTheMachine) {
  const RunSpeed words = RunSpeed::measured(Recipe::load("words-5"), 600);
  EXPECT_GT(words.sketch_ns, 0);
  EXPECT_GT(words.features_ns, 0);
  EXPECT_GT(words.key_ns, 0);
  EXPECT_NEAR(words.features, 90, 15) << "words of 6 letters and blank";
  EXPECT_GT(RunSpeed::measured(Recipe::load("chars-5"), 600).features, 400);
  EXPECT_GT(RunSpeed::measured(Recipe::load("words-5"), 1).sketch_ns, 0);
}

}  // namespace
}  // namespace neardup
