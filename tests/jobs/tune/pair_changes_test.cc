#include "jobs/tune/pair_changes.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

PairKind pair_kind(const std::string& a, const std::string& b) {
  return count_changes(a, b, align_texts(a, b)).kind();
}

const std::string kNotice =
    "The committee for the harbours will meet in room 14 on Monday 3 May 2021 to hear the report of the engineer on repairs. ";

TEST(PairChangesTest, OtherNumbersAndNamesAreFacts) {
  EXPECT_EQ(
      pair_kind(
          kNotice,
          "The committee for the harbours will meet in room 22 on Monday 9 June 2023 to hear the report of the engineer on repairs. "),
      PairKind::kFacts);
  EXPECT_EQ(pair_kind("當馬州是宋代雅州所屬的一個羈縻州。", "畫重州是宋代雅州所屬的一個羈縻州。"), PairKind::kFacts);
}

TEST(PairChangesTest, ErrorsInsideWordsAndBrokenWordsAreLetters) {
  EXPECT_EQ(
      pair_kind(
          kNotice,
          "The cornmittee for the harbours will meet in room 14 on Mon day 3 May 2021 to hear the rep- ort of the enginecr on repairs."),
      PairKind::kLetters);
}

TEST(PairChangesTest, PunctuationCountsOnlyAlone) {
  EXPECT_EQ(pair_kind("孙亮字子明，权少子也。权春秋高，而亮最少", "孙亮字子明；权少子也；权春秋高；而亮最少"), PairKind::kPunctuation);
  EXPECT_EQ(pair_kind(kNotice,
                      "The committee for the harbours, will meet in room 14, on Monday, 3 May 2021, to hear what was said by the engineer; "
                      "on repairs."),
            PairKind::kWords);
}

TEST(PairChangesTest, AddedPassagesAreBlocks) {
  EXPECT_EQ(
      pair_kind(kNotice,
                kNotice + "Visitors are asked to use the door on the northern side of the building while the main entrance is closed."),
      PairKind::kBlocks);
}

TEST(PairChangesTest, EqualTextsHaveNoChanges) {
  const PairChanges changes = count_changes(kNotice, kNotice, align_texts(kNotice, kNotice));
  EXPECT_EQ(changes.characters, 0u);
  EXPECT_EQ(changes.kind(), PairKind::kPunctuation);
  EXPECT_EQ(count_changes("", "", align_texts("", "")).digits, 0u);
}

}  // namespace
}  // namespace neardup
