// Groups solved while features come in: the answer and the counts of solve_groups(), with features freed on the way.
#include "dedup/match/early_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <thread>

#include "base/parallel.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/texts.h"
#include "support/corpus.h"
#include "support/group_solvers.h"

namespace neardup {
namespace {

using testing::CandidateRun;
using testing::expect_equal_removals;
using testing::solve_early;

TEST(EarlyGroups, DecidesAsAtTheEndWhateverTheMemory) {
  const auto texts =
      testing::make_corpus(1, {.originals = 60, .words = 60, .vocabulary = 900, .max_copies = 6, .edit_rate = 0.05, .boilerplate = 20});
  const auto views = testing::views(texts);
  const auto source = make_text_source(views);
  Options options;
  options.recipe = "words-5";
  const CandidateRun run(options, *source);
  const GroupInputs inputs = run.inputs();
  uint64_t all_bytes = 0;
  for (uint32_t ordinal = 0; ordinal < inputs.features.count(); ++ordinal) all_bytes += inputs.features.size(ordinal) * sizeof(uint64_t);
  for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
    GroupStats stats;
    const auto expected = solve_groups(inputs, cluster, stats, 64);
    ASSERT_FALSE(expected.empty());
    for (const uint64_t memory : {uint64_t{0}, all_bytes / 4, 2 * all_bytes}) {  // the last has room for what allocations take
      const auto early = solve_early(inputs, cluster, memory, 64);
      expect_equal_removals(expected, early.removals);
      EXPECT_EQ(early.stats.verifications, stats.verifications);
      EXPECT_EQ(early.stats.just_below, stats.just_below);
      EXPECT_EQ(early.stats.capped_documents, stats.capped_documents);
      EXPECT_EQ(memory == 0, early.spilled_bytes == all_bytes);
      if (memory > all_bytes) {
        EXPECT_EQ(early.spilled_bytes, 0U);
        EXPECT_GT(early.forgotten, 0U);
      }
    }
  }
}

// Batches of a few sets, read and solved in the pipeline of the pass "features". The stop function is what a solver calls that can fail.
TEST(EarlyGroups, AnErrorOfOneWorkerEndsTheLineAfterTheBatchesBefore) {
  constexpr uint32_t kSetsPerBatch = 5;
  constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  const auto texts = testing::make_corpus(1, {.originals = 800, .words = 40, .vocabulary = 900, .max_copies = 4, .edit_rate = 0.02});
  const auto views = testing::views(texts);
  const auto source = make_text_source(views);
  Options options;
  options.recipe = "words-5";
  const CandidateRun run(options, *source);
  const GroupInputs inputs = run.inputs();
  const auto count = static_cast<uint32_t>(inputs.candidates.documents.size());
  const uint32_t batches = (count + kSetsPerBatch - 1) / kSetsPerBatch;
  ASSERT_GT(batches, 40U);
  static thread_local bool solving = false;  // the line asks to stop, too
  for (const uint32_t threads : {1U, 2U, 4U}) {
    FeatureStore features(1 << 30, "");
    FeatureStore weights(1 << 30, "");
    const GroupInputs late = testing::with_stores(inputs, features, weights, threads);
    EarlyGroups early(late, Cluster::kScan, features, weights);
    std::atomic<uint32_t> asked{0};
    const StopFunction fails_at_the_tenth = [&] {
      if (solving && ++asked == 10) throw Error(ErrorCode::kInput, "the solver failed");
      return false;
    };
    std::atomic<uint32_t> failures{0};
    std::atomic<uint64_t> failed_at{kNone};
    uint64_t committed = 0;
    std::vector<FeatureSets> slots(OrderedLine::slot_count(threads));
    const StopScope scope(&fails_at_the_tenth);
    std::string error;
    try {
      OrderedLine::run(
          threads, [&](uint64_t ordinal, size_t) { return ordinal < batches; },
          [&](uint32_t worker, uint64_t ordinal, size_t slot) {
            solving = true;
            try {
              early.solve_complete(worker);
            } catch (const Error&) {
              solving = false;
              ++failures;
              failed_at = ordinal;
              throw;
            }
            solving = false;
            std::vector<uint64_t> space;
            const auto begin = static_cast<uint32_t>(ordinal) * kSetsPerBatch;
            for (uint32_t i = begin; i < std::min(begin + kSetsPerBatch, count); ++i) slots[slot].add(inputs.features.get(i, space));
          },
          [&](uint64_t ordinal, size_t slot) {
            EXPECT_EQ(ordinal, committed);
            ++committed;
            features.append(slots[slot]);
            early.arrived(features.count());
          });
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    EXPECT_EQ(error, "the solver failed") << threads;
    EXPECT_EQ(failures, 1U) << threads;
    EXPECT_EQ(committed, failed_at) << "what was read before is committed, and nothing after it";
    EXPECT_LT(committed, batches);
  }
}

}  // namespace
}  // namespace neardup
