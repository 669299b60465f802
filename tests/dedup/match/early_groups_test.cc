// Groups solved while features come in: the answer and the counts of solve_groups(), with features freed on the way.
#include "dedup/match/early_groups.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace neardup
