#include "jobs/report/passages/passage_effects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

std::string words(std::mt19937_64& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}w{}", i == 0 ? "" : " ", random() % 100'000);
  return text;
}

Options options_of(const std::string& recipe) {
  Options options;
  options.recipe = recipe;
  if (recipe.starts_with("simhash")) options.max_distance = 12;
  return options;
}

TEST(PairJudge, AgreesWithARunOverTheTwoTexts) {
  std::mt19937_64 random(4);
  std::vector<Options> all;
  for (const char* recipe : {"words-5", "chars-5", "simhash-words-3"}) all.push_back(options_of(recipe));
  all.push_back(options_of("simhash-words-3"));
  all.back().verify = Verify::kCosine;
  all.push_back(options_of("words-5"));
  all.back().measure = Measure::kContainment;
  size_t matches = 0;
  for (const Options& options : all) {
    const PairJudge judge(options, "");
    for (int round = 0; round < 60; ++round) {
      const std::string shared = words(random, 60);
      const std::string a = shared + " " + words(random, random() % 20);
      const std::string b = shared + " " + words(random, random() % 20) + (random() % 4 == 0 ? "!" : "");
      Options exact = options;
      if (options.recipe != "simhash-words-3") exact.search = Search::kExact;
      const std::vector<std::string> texts{b, a};
      const auto verdicts = dedup_texts(texts, exact);
      bool run_matches = verdicts[1].decision == Decision::kRemove;
      // Under cosine, candidates must be within the distance, too; under containment, the larger text is scanned first.
      if (options.verify == Verify::kCosine && !run_matches) continue;
      if (options.measure == Measure::kContainment && verdicts[0].decision == Decision::kRemove) continue;
      EXPECT_EQ(judge.matches(a, b), run_matches) << options.recipe << "\n" << a << "\n" << b;
      matches += run_matches;
    }
    EXPECT_TRUE(judge.matches("A b", "a b"));  // exact copies, though too short for features
    EXPECT_FALSE(judge.matches("a b", "a c"));
  }
  EXPECT_GT(matches, 50u);
}

TEST(PairJudge, NeedsTheTableOfARecipeFittedToTheCorpus) {
  Options options;
  options.recipe = "simhash-words";
  try {
    const PairJudge judge(options, "/nowhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput) << error.what();
    EXPECT_NE(std::string(error.what()).find("/nowhere/fitted-1.idf"), std::string::npos) << error.what();
  }
}

TEST(PassageEffects, CountsRemovalsThatMatchOnlyByThePassage) {
  std::mt19937_64 random(9);
  const std::string boilerplate = words(random, 80);
  const std::string other = words(random, 30);
  std::vector<RemovedTexts> pairs;
  for (int i = 0; i < 4; ++i) pairs.push_back({boilerplate + " " + words(random, 4), boilerplate + " " + words(random, 4)});  // only by it
  for (int i = 0; i < 3; ++i) {
    const std::string article = words(random, 100);
    pairs.push_back({boilerplate + " " + article, article + " x " + boilerplate});  // also without it
  }
  pairs.push_back({words(random, 50), words(random, 50)});                                          // does not have it
  pairs.push_back({boilerplate + " " + words(random, 90), boilerplate + " " + words(random, 90)});  // has it, but never matched
  PassageUnitCutter cutter;
  PassageUnits units;
  std::vector<CommonPassage> passages;
  for (const std::string& text : {boilerplate, other}) {
    cutter.cut(text, units);
    passages.push_back({text, units.units, 2});
  }
  const PairJudge judge(options_of("words-5"), "");
  EXPECT_EQ(passage_effects(passages, pairs, judge), (std::vector<PassageEffect>{{8, 4}, {0, 0}}));
  EXPECT_TRUE(passage_effects({}, pairs, judge).empty());
}

}  // namespace
}  // namespace neardup
