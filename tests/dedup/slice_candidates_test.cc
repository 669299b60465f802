#include "dedup/slice_candidates.h"

#include "support/checkpoint_directories.h"

namespace neardup::testing {
namespace {

CandidateGroups some_groups() {
  CandidateGroups groups;
  groups.documents = {1, 4, 5, 9};
  groups.group_begin = {0, 2, 4};
  groups.members = {0, 3, 2, 1};
  return groups;
}

TEST_F(CheckpointDirectories, GroupsRoundTripAndAreConsistent) {
  const CheckpointDirectory run(folder_, identity(), {});
  const SliceBounds slice{.recipe_id = 5, .first_batch = 3, .first_document = 4, .end_document = 10};
  const std::vector<uint32_t> copies{0, 1, 2, 3, 4, 5, 4, 7, 1, 9};
  const std::vector<IndexMatch> index_matches{{.document = 7, .index = 1, .entry = 77, .name = "n", .named = true, .distance = 4}};
  EXPECT_FALSE(SliceCandidates::load(run, slice));
  SliceCandidates::save(run, slice, copies, index_matches, some_groups());
  const auto grouped = SliceCandidates::load(run, slice);
  ASSERT_TRUE(grouped);
  EXPECT_EQ(grouped->copy_of, (std::vector<uint32_t>{4, 5, 4, 7, 1, 9}));
  ASSERT_EQ(grouped->index_matches.size(), 1u);
  EXPECT_EQ(grouped->index_matches[0].entry, 77u);
  EXPECT_EQ(grouped->groups.documents, some_groups().documents);
  EXPECT_EQ(grouped->groups.group_begin, some_groups().group_begin);
  EXPECT_EQ(grouped->groups.members, some_groups().members);
  SliceCandidates::remove(run, 3);
  EXPECT_FALSE(SliceCandidates::load(run, slice));

  SliceCandidates::save(run, slice, copies, {}, {});
  EXPECT_TRUE(SliceCandidates::load(run, slice)) << "nobody is a candidate";
  for (const SliceBounds& other : {SliceBounds{6, 3, 4, 10}, {5, 3, 5, 10}, {5, 3, 4, 11}}) {
    SliceCandidates::save(run, slice, copies, index_matches, some_groups());
    EXPECT_FALSE(SliceCandidates::load(run, other));
    EXPECT_FALSE(exists("grouped-0000000003.part"));
  }
  const auto refused = [&](const auto& damage) {
    CandidateGroups groups = some_groups();
    damage(groups);
    SliceCandidates::save(run, slice, copies, index_matches, groups);
    return !SliceCandidates::load(run, slice) && !exists("grouped-0000000003.part");
  };
  EXPECT_FALSE(refused([](CandidateGroups&) {}));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.documents.back() = 10; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.documents[1] = 1; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.members[0] = 4; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.members[0] = 3; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.members.pop_back(); }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.group_begin = {0, 5, 4}; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.group_begin = {1, 2, 4}; }));
  EXPECT_TRUE(refused([](CandidateGroups& groups) { groups.group_begin.clear(); }));
}

}  // namespace
}  // namespace neardup::testing
