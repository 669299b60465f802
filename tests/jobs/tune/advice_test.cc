#include "jobs/tune/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Findings in which pairs of all bands change as `kinds` say.
struct AdviceCase {
  TuneCorpus corpus;
  TunePairs pairs;
  PairDensities densities{};  // no valley
  PairCohesion cohesion{};    // all the same

  AdviceCase() {
    corpus.scripts[TuneCorpus::kLatin] = 1;
    pairs.examined = 1000;
    for (size_t band = SamplePairs::kBands; band-- > 0;) {
      TunePairs::Band row;
      row.from = SamplePairs::from(band);
      row.to = row.from + SamplePairs::kWidth;
      row.examined = 100;
      pairs.bands.push_back(row);
    }
  }
  AdviceCase& with(PairKind kind, double share) {
    pairs.kinds[static_cast<size_t>(kind)] = share;
    for (TunePairs::Band& band : pairs.bands) band.kinds[static_cast<size_t>(kind)] = share;
    return *this;
  }
  AdviceCase& han() {
    corpus.scripts = {};
    corpus.scripts[TuneCorpus::kHan] = 1;
    return *this;
  }
  [[nodiscard]] TuneAdvice advice(const std::string& clean = "") const {
    const Finding finding(corpus, pairs);
    return make_advice(finding, choose_recipe(finding), clean, {densities, cohesion});
  }
};

struct AdviceRow {
  const char* what;
  AdviceCase given;
  const char* recipe;
  double threshold;
};

// What judged corpora say: news 0.6 to 0.7 under words-5, recognition errors chars-5 at 0.8, notices of one form 0.9 and above.
TEST(AdviceTest, FollowsTheKindOfChangeThatDominates) {
  AdviceCase code = AdviceCase().with(PairKind::kBlocks, 0.8);
  code.corpus.code = 0.9;
  AdviceCase few;
  few.pairs.examined = 5;
  const AdviceRow rows[] = {
      {"edited news", AdviceCase().with(PairKind::kBlocks, 0.6).with(PairKind::kWords, 0.3), "words-5", 0.7},
      {"edited words", AdviceCase().with(PairKind::kWords, 0.6), "words-5", 0.7},
      {"recognition errors", AdviceCase().with(PairKind::kLetters, 0.5).with(PairKind::kBlocks, 0.4), "chars-5", 0.8},
      {"other characters", AdviceCase().with(PairKind::kLetters, 0.5).han(), "words-5", 0.6},
      {"notices of one form", AdviceCase().with(PairKind::kFacts, 0.7).han(), "words-5", 0.95},
      {"numbers among other changes", AdviceCase().with(PairKind::kDigits, 0.6), "words-5", 0.9},
      {"punctuation", AdviceCase().with(PairKind::kPunctuation, 0.9), "words-5", 0.8},
      {"source code", code, "code-5", 0.5},
      {"nothing", few, "words-5", 0.8},
  };
  for (const AdviceRow& row : rows) {
    const TuneAdvice advice = row.given.advice();
    EXPECT_EQ(advice.recipe, row.recipe) << row.what;
    EXPECT_DOUBLE_EQ(advice.threshold.value(), row.threshold) << row.what;
    ASSERT_GE(advice.reasons.size(), 2u) << row.what;
    EXPECT_EQ(advice.reasons[0].option, "recipe") << row.what;
    EXPECT_EQ(advice.reasons[1].option, "threshold") << row.what;
    for (const TuneAdvice::Reason& reason : advice.reasons) EXPECT_FALSE(reason.text.empty()) << row.what;
  }
}

TEST(AdviceTest, TheThresholdLiesInTheValley) {
  AdviceCase given = AdviceCase().with(PairKind::kBlocks, 0.8);
  given.densities = {900, 500, 40, 200, 300, 300, 300, 300, 300, 400};
  const TuneAdvice advice = given.advice();
  EXPECT_DOUBLE_EQ(advice.threshold.value(), 0.6);
  EXPECT_THAT(advice.reasons[1].text, HasSubstr("40 pairs at 0.60 to 0.65"));
}

TEST(AdviceTest, TheThresholdLiesWhereGroupsHoldTogether) {
  AdviceCase given = AdviceCase().with(PairKind::kBlocks, 0.8);
  given.densities = {900, 500, 40, 200, 300, 300, 300, 300, 300, 400};
  given.cohesion = {0.5, 0.6, 0.6, 0.7, 0.8, 0.93, 0.9, 0.9, 0.9, 0.9};
  const TuneAdvice advice = given.advice();
  EXPECT_DOUBLE_EQ(advice.threshold.value(), 0.75);
  EXPECT_THAT(advice.reasons[1].text, HasSubstr("93 % of the pairs inside a group are near each other, at 0.50 50 %"));
  // Recognition errors: copies make chains, too.
  given = AdviceCase().with(PairKind::kLetters, 0.8);
  given.cohesion = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6, 0.9, 0.9, 0.9};
  EXPECT_DOUBLE_EQ(given.advice().threshold.value(), 0.8);
}

TEST(AdviceTest, DisguisedCopiesAreComparedWithoutNames) {
  AdviceCase given;
  given.corpus.code = 0.9;
  given.pairs.whole_corpus = true;
  given.pairs.renamed = {.only_renamed = 200, .near_pairs = 400, .examined = 100, .copies = 80, .same_literals = 0.8, .pairs = 160};
  EXPECT_EQ(given.advice().recipe, "code-5-renamed");
  EXPECT_DOUBLE_EQ(given.advice().threshold.value(), 0.6);
  EXPECT_THAT(given.advice().reasons[0].text, HasSubstr("200 pairs of source files are near only if all names count as one, and 80 %"));
  EXPECT_THAT(given.advice().notes, IsEmpty());
  given.pairs.whole_corpus = false;
  EXPECT_EQ(given.advice().notes.size(), 1u);
  // Few among the versions, or among code of one shape: code-5.
  given.pairs.renamed.near_pairs = 700;
  EXPECT_EQ(given.advice().recipe, "code-5");
  given.pairs.renamed = {.only_renamed = 2000, .near_pairs = 400, .examined = 400, .copies = 40, .same_literals = 0.1, .pairs = 200};
  EXPECT_EQ(given.advice().recipe, "code-5");
}

TEST(AdviceTest, TheReasonSaysWhetherAnythingIsBelowTheValley) {
  AdviceCase both = AdviceCase().with(PairKind::kWords, 0.7);
  both.densities = {900, 500, 200, 40, 1, 90, 200, 300, 300, 400};
  EXPECT_THAT(both.advice().reasons[1].text, HasSubstr("and more on both sides"));
  AdviceCase above = AdviceCase().with(PairKind::kWords, 0.7);
  above.densities = {0, 0, 0, 0, 0, 0, 0, 0, 50, 60};
  EXPECT_THAT(above.advice().reasons[1].text, HasSubstr("more at higher similarities, no more at lower ones"));
}

TEST(AdviceTest, TheThresholdRisesAboveTextsOfOneForm) {
  AdviceCase given = AdviceCase().with(PairKind::kBlocks, 0.6);
  for (TunePairs::Band& band : given.pairs.bands) {
    if (band.from > 0.79 && band.from < 0.86) band.kinds[static_cast<size_t>(PairKind::kFacts)] = 0.8;
  }
  const TuneAdvice advice = given.advice();
  EXPECT_DOUBLE_EQ(advice.threshold.value(), 0.9);
  EXPECT_THAT(advice.reasons[1].text, HasSubstr("at 0.85 to 0.90, 80 % of the pairs differ only in a few numbers or names"));
}

TEST(AdviceTest, ShortTextsArePagesAndBoilerplateAreNamed) {
  AdviceCase given = AdviceCase().with(PairKind::kWords, 0.9);
  EXPECT_EQ(given.advice().min_length, 0u);
  given.corpus.short_texts = 0.2;
  given.corpus.html = 0.97;
  given.corpus.line_characters = 0.4;
  const TuneAdvice advice = given.advice("html");
  EXPECT_EQ(advice.min_length, 40u);
  EXPECT_EQ(advice.clean, "html");
  ASSERT_EQ(advice.reasons.size(), 4u);
  EXPECT_THAT(advice.reasons[3].text, HasSubstr("97 % of the documents are pages"));
  ASSERT_EQ(advice.notes.size(), 1u);
  EXPECT_THAT(advice.notes[0], HasSubstr("neardup lines fit"));
  EXPECT_EQ(given.han().advice().min_length, 20u);
  EXPECT_THAT(AdviceCase().with(PairKind::kWords, 0.9).advice().notes, IsEmpty());
}

}  // namespace
}  // namespace neardup
