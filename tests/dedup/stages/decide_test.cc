#include "dedup/stages/decide.h"

#include <gtest/gtest.h>

#include <functional>

#include "neardup/error.h"

namespace neardup {
namespace {

std::string input_problem(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "none";
}

const std::string_view kText = "the quick brown fox jumps over the lazy dog and runs away into the dark forest";

TEST(Decide, RefusesRowsOutOfOrderAndTwoPayloadsOfOneRank) {
  const Stages stages{Options()};
  const std::string payload = stages.candidates()->payload(kText).value();
  const std::string other = stages.candidates()->payload("some other words that are not those of the fox at all").value();
  const auto stage = stages.decide(256'000'000);
  EXPECT_TRUE(stage->add({5, 5, payload}));
  EXPECT_TRUE(stage->add({5, 9, payload}));
  EXPECT_TRUE(stage->add({5, 9, payload})) << "once more is no other row";
  EXPECT_EQ(input_problem([&] { stage->add({5, 9, other}); }), "the document of rank 9 has two payloads");
  EXPECT_EQ(input_problem([&] { stage->add({5, 7, payload}); }), "rows are not in order: root 5, rank 7 comes after root 5, rank 9");
  EXPECT_EQ(input_problem([&] { stage->add({4, 9, payload}); }), "rows are not in order: root 4, rank 9 comes after root 5, rank 9");
  stage->finish();
  std::vector<RankRemoval> removals;
  stage->take(removals);
  ASSERT_EQ(removals.size(), 1u);
  EXPECT_EQ(removals[0].rank, 9);
  EXPECT_EQ(removals[0].keeper, 5);
  EXPECT_EQ(stage->stats().documents, 2u);
  EXPECT_EQ(stage->stats().groups, 1u);
}

TEST(Decide, RefusesPayloadsThatAreNotOfTheRun) {
  const Stages stages{Options()};
  Options options;
  options.threshold = Threshold::from_millionths(900'000);
  const Stages stricter(options);
  options = Options();
  options.recipe = "chars-5";
  const Stages characters(options);
  const std::string payload = stages.candidates()->payload(kText).value();
  const auto decide = [&](std::string_view given) {
    return input_problem([&] {
      const auto stage = stages.decide(256'000'000);
      stage->add({1, 1, payload});
      stage->add({1, 2, given});
      stage->finish();
    });
  };
  EXPECT_EQ(decide(payload), "none");
  EXPECT_NE(decide(stricter.candidates()->payload(kText).value()).find("of rank 2 was made with other options"), std::string::npos);
  EXPECT_NE(decide(characters.candidates()->payload(kText).value()).find("was made by recipe"), std::string::npos);
  EXPECT_NE(decide("").find("is truncated: 0 bytes"), std::string::npos);
  EXPECT_NE(decide(payload.substr(0, 40)).find("is damaged: its sketch has"), std::string::npos);
  EXPECT_NE(decide(payload.substr(0, payload.size() - 1)).find("is truncated:"), std::string::npos);
  std::string unsorted = payload;
  unsorted.back() = 0;
  EXPECT_NE(decide(unsorted).find("its features are not in order"), std::string::npos);
  EXPECT_NE(decide("\x07" + payload.substr(1)).find("has format 7"), std::string::npos);
}

// A row after a cut block belongs to the caller, once.
TEST(Decide, LeavesRowsAfterABlock) {
  const Stages stages{Options()};
  const std::string payload = stages.candidates()->payload(kText).value();
  const auto stage = stages.decide(kMinStageMemory);
  int64_t taken = 0;
  while (stage->add({1, taken, payload})) ++taken;
  EXPECT_GT(taken, 10);
  EXPECT_FALSE(stage->add({1, taken + 1, payload}));
  EXPECT_TRUE(stage->add({1, taken + 1, payload})) << "the same row again";
  EXPECT_TRUE(stage->add({2, 2, payload})) << "another group";
  stage->finish();
  std::vector<RankRemoval> removals;
  stage->take(removals);
  EXPECT_EQ(removals.size(), static_cast<size_t>(taken - 1));
  std::vector<StoredRow> kept;
  stage->take_kept(kept);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].root, 1);
  EXPECT_EQ(kept[0].rank, 0);
  EXPECT_EQ(kept[0].payload, payload);
}

TEST(Match, LeavesRowsOfRootsWithoutKeptRows) {
  const Stages stages{Options()};
  const std::string payload = stages.candidates()->payload(kText).value();
  const auto stage = stages.match({{1, 3, payload}, {1, 2, payload}}, kMinStageMemory);
  stage->add({1, 9, payload});
  stage->add({7, 8, payload});
  stage->finish();
  std::vector<RankRemoval> removals;
  std::vector<StoredRow> left;
  stage->take(removals);
  stage->take_left(left);
  ASSERT_EQ(removals.size(), 1u);
  EXPECT_EQ(removals[0].rank, 9);
  EXPECT_EQ(removals[0].keeper, 2) << "the first kept row in rank order";
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].rank, 8);
}

TEST(Candidates, HaveNoPayloadWithoutASketch) {
  Options options;
  EXPECT_FALSE(Stages(options).candidates()->payload("two words").has_value());
  options.min_length = 500;
  EXPECT_FALSE(Stages(options).candidates()->payload(kText).has_value());
}

}  // namespace
}  // namespace neardup
