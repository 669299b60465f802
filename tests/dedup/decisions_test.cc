#include "dedup/decisions.h"

#include "support/checkpoint_directories.h"

namespace neardup::testing {
namespace {

Decisions some_decisions() {
  Decisions made;
  made.end_batch = 2;
  made.end_document = 4;
  made.last = false;
  made.removals = {{.document = 2, .keeper = 0, .overlap = {8, 9, 10}},
                   {.document = 3, .keeper = 3, .overlap = {60, 64, 60}, .index_match = 1}};
  made.index_matches = {{.document = 3, .index = 1, .entry = 77, .name = "n", .named = true, .distance = 4}};
  made.stats = {.verifications = 5, .capped_documents = 6, .just_below = 7};
  made.candidate_documents = 4;
  made.largest_group = 3;
  made.reference_entries = 1000;
  return made;
}

Decisions next_decisions() {
  Decisions next;
  next.first_batch = 2;
  next.end_batch = 3;
  next.first_document = 4;
  next.end_document = 6;
  next.removals = {{.document = 5, .keeper = 5, .overlap = {62, 64, 62}, .index_match = 1}};
  next.index_matches = {{.document = 5, .index = 0, .entry = 78, .name = "m", .named = true, .distance = 2}};
  next.stats = {.verifications = 1, .capped_documents = 0, .just_below = 8};
  next.candidate_documents = 2;
  next.largest_group = 7;
  return next;
}

TEST_F(CheckpointDirectories, DecisionsRoundTripAndAreConsistent) {
  const CheckpointDirectory run(folder_, identity(), {});
  const std::vector<uint32_t> copies{0, 0, 2, 3, 1, 5};
  const std::vector<uint32_t> first_copies(copies.begin(), copies.begin() + 4);
  std::vector<uint32_t> copy_of{7};
  EXPECT_TRUE(Decisions::load(run, 5, copy_of).empty());
  EXPECT_TRUE(copy_of.empty());
  next_decisions().save(run, 5, copies);
  EXPECT_TRUE(Decisions::load(run, 5, copy_of).empty()) << "the first slice is missing";
  some_decisions().save(run, 5, first_copies);
  auto slices = Decisions::load(run, 5, copy_of);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(copy_of, copies);
  const Decisions first = slices[0];
  EXPECT_EQ(first.end_batch, 2u);
  EXPECT_EQ(first.end_document, 4u);
  EXPECT_FALSE(first.last);
  ASSERT_EQ(first.removals.size(), 2u);
  EXPECT_EQ(first.removals[0].overlap.union_size(), 11u);
  EXPECT_EQ(first.removals[1].index_match, 1u);
  ASSERT_EQ(first.index_matches.size(), 1u);
  EXPECT_EQ(first.index_matches[0].name, "n");
  EXPECT_EQ(slices[1].first_document, 4u);

  Decisions both;
  both.slices = 0;
  for (Decisions& slice : slices) both.append(std::move(slice));
  EXPECT_TRUE(both.last);
  EXPECT_EQ(both.end_document, 6u);
  ASSERT_EQ(both.removals.size(), 3u);
  EXPECT_EQ(both.index_matches[both.removals[2].index_match - 1].name, "m");
  Summary summary;
  both.count(summary);
  EXPECT_EQ(std::vector({summary.verifications, summary.capped_documents, summary.candidate_documents, summary.largest_group,
                         summary.reference_entries, uint64_t{summary.slices}}),
            (std::vector<uint64_t>{6, 6, 6, 7, 1000, 2}));
  EXPECT_EQ(both.stats.just_below, 15u);
}

TEST_F(CheckpointDirectories, InconsistentDecisionsAreRemoved) {
  const CheckpointDirectory run(folder_, identity(), {});
  const std::vector<uint32_t> copies{0, 0, 2, 3};
  std::vector<uint32_t> copy_of;
  const auto refused = [&](uint64_t recipe_id) {
    return Decisions::load(run, recipe_id, copy_of).empty() && copy_of.empty() && !exists("decided-0000000000.part");
  };
  some_decisions().save(run, 5, copies);
  EXPECT_TRUE(refused(6)) << "of another recipe";
  for (const auto& [document, keeper] : {std::pair{2u, 4u}, {4u, 0u}}) {  // no such documents
    Decisions made = some_decisions();
    made.removals[0].document = document;
    made.removals[0].keeper = keeper;
    made.save(run, 5, copies);
    EXPECT_TRUE(refused(5));
  }
  some_decisions().save(run, 5, std::vector<uint32_t>{0, 0, 2, 4});
  EXPECT_TRUE(refused(5)) << "a copy of nothing";
  Decisions made = some_decisions();
  made.end_batch = 0;
  made.save(run, 5, copies);
  EXPECT_TRUE(refused(5)) << "a slice without batches that is not the last";
}

}  // namespace
}  // namespace neardup::testing
