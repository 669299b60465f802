#include "dedup/run_folder/run_folder.h"

#include "dedup/decisions.h"
#include "dedup/run_folder/pass_journal.h"
#include "dedup/slice_candidates.h"
#include "support/run_folders.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(RunFolders, IdentityComesBack) {
  RunIdentity made = identity();
  made.sources.push_back({"c \"\\\n\xE4\xB8\xAD", ""});
  const RunIdentity read = RunIdentity::parse(made.to_json(), "x");
  EXPECT_EQ(read.settings, made.settings);
  EXPECT_EQ(read.sources, made.sources);
  for (const char* broken : {"", "{}", "[]", R"({"format":3,"settings":[],"sources":[{}]})", R"({"format":3,"settings":3,"sources":[]})"}) {
    EXPECT_THAT(error_of([&] { RunIdentity::parse(broken, "the file"); }), HasSubstr("input: 'the file' does not describe a run"))
        << broken;
  }
  EXPECT_EQ(error_of([&] { RunIdentity::parse(R"({"format":2,"settings":[],"sources":[]})", "f"); }),
            "input: 'f' has format 2; this program reads format 3");
}

TEST_F(RunFolders, WhatChangedIsNamed) {
  { const RunFolder folder(folder_, identity(), {}); }
  EXPECT_EQ(refusal(identity()), "");
  RunIdentity now = identity();
  now.settings[0].value = "0.7";
  EXPECT_THAT(refusal(now), HasSubstr("threshold was '0.8' when it began, and is '0.7' now"));
  now = identity();
  now.sources[1].value = "5 bytes";
  EXPECT_THAT(refusal(now), HasSubstr("'b' changed: it had 4 bytes, and has 5 bytes now"));
  now = identity();
  now.sources.pop_back();
  EXPECT_THAT(refusal(now), HasSubstr("input 2, 'b', is missing"));
  now = identity();
  std::swap(now.sources[0], now.sources[1]);
  EXPECT_THAT(refusal(now), HasSubstr("input 1 was 'a', and is 'b' now"));
  now = identity();
  now.settings.push_back({"new", "1"});
  EXPECT_THAT(refusal(now), HasSubstr("begun by a program that had no 'new'"));
}

TEST_F(RunFolders, MoreSourcesOnlyWhenAsked) {
  {
    const RunFolder folder(folder_, identity(), {});
    Decisions().save(folder, 1, {});
    write("decided-0000000009.part", "x");
    write("features-0000000000.part", "x");
    write("sketch-0000000000.part", "x");
    write("fitted-1.idf", "x");
  }
  RunIdentity now = identity();
  now.sources.push_back({"c", "1 bytes"});
  EXPECT_THAT(refusal(now), HasSubstr("'c' was not among its inputs; --add takes more"));
  EXPECT_THAT(refusal(now, {1, 3}), HasSubstr("'c' was not among its inputs; --add takes more")) << "it had two";
  EXPECT_EQ(refusal(now, {2}), "");
  EXPECT_FALSE(exists("decided-0000000009.part") || exists("features-0000000000.part") || exists("fitted-1.idf"))
      << "they were made without the new documents";
  EXPECT_TRUE(exists("decided-0000000000.part")) << "a slice that was full";
  EXPECT_TRUE(exists("sketch-0000000000.part"));
  EXPECT_EQ(refusal(now), "") << "it has three sources from now on";
  EXPECT_THAT(refusal(identity()), HasSubstr("input 3, 'c', is missing"));
}

TEST_F(RunFolders, TasksShareARunDoesNot) {
  EXPECT_THAT(error_of([&] { const RunFolder folder(folder_, identity(), {}, RunFolder::Use::kShared); }), HasSubstr("there is no run in"));
  { const RunFolder folder(folder_, identity(), {}); }
  const RunFolder task(folder_, identity(), {}, RunFolder::Use::kShared);
  const RunFolder other(folder_, identity(), {}, RunFolder::Use::kShared);
  EXPECT_THAT(refusal(identity()), HasSubstr("the run in '" + folder_ + "' is being written by another process"));
}

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

TEST_F(RunFolders, DecisionsComeBackAndHoldTogether) {
  const RunFolder run(folder_, identity(), {});
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

TEST_F(RunFolders, DecisionsThatDoNotHoldTogetherAreRemoved) {
  const RunFolder run(folder_, identity(), {});
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

// Somebody else may be at work on what is damaged here.
TEST_F(RunFolders, NothingIsRemovedFromASharedFolder) {
  { const RunFolder begun(folder_, identity(), {}); }
  write("sketch-0000000000.part", "x");
  {
    const RunFolder shared(folder_, identity(), {}, RunFolder::Use::kShared);
    EXPECT_EQ(PassJournal(shared, "sketch", 7).end(), 0u);
    EXPECT_TRUE(exists("sketch-0000000000.part"));
  }
  const RunFolder alone(folder_, identity(), {});
  EXPECT_EQ(PassJournal(alone, "sketch", 7).end(), 0u);
  EXPECT_FALSE(exists("sketch-0000000000.part"));
}

CandidateGroups some_groups() {
  CandidateGroups groups;
  groups.documents = {1, 4, 5, 9};
  groups.group_begin = {0, 2, 4};
  groups.members = {0, 3, 2, 1};
  return groups;
}

TEST_F(RunFolders, GroupsComeBackAndHoldTogether) {
  const RunFolder run(folder_, identity(), {});
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
