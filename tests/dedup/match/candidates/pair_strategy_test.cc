// Options that contradict each other or the recipe are refused, in words that name them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "dedup/match/candidates/pair_strategy.h"
#include "neardup/error.h"
#include "neardup/texts.h"
#include "neardup/tools/plan.h"
#include "support/recipe_file.h"

namespace neardup {
namespace {

using testing::RecipeFile;
using testing::simhash_words_json;

Options options_for(const std::string& recipe, const std::string& also = {}) {
  Options options;
  options.recipe = recipe;
  options.also = also;
  return options;
}

// What the run, its plan, and a run for pairs say.
std::string refusal(const Options& options) {
  std::string said;
  const auto hear = [&](const auto& run) {
    try {
      run();
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      if (said.empty()) said = error.what();
    }
  };
  hear([&] { dedup_texts({}, options); });
  hear([&] { plan_run(options); });
  hear([&] { pair_texts({}, options); });
  return said;
}

TEST(PairStrategies, ADistanceAboveTheBits) {
  Options options = options_for("simhash-chars-4");
  options.max_distance = 65;
  EXPECT_EQ(refusal(options), "max_distance: 65 is above the 64 bits of recipe 'simhash-chars-4'");
  const RecipeFile wide(simhash_words_json(128, ""));
  options.recipe = wide.path();
  EXPECT_EQ(plan_run(options).max_distance, 65u);
  options.max_distance = 129;
  EXPECT_EQ(refusal(options), "max_distance: 129 is above the 128 bits of recipe '" + wide.path() + "'");
  options = options_for("words-5", "simhash-chars-4");
  options.max_distance = 65;
  EXPECT_EQ(refusal(options), "max_distance: 65 is above the 64 bits of recipe 'simhash-chars-4'");
}

TEST(PairStrategies, AlsoIsOfTheOtherKind) {
  EXPECT_EQ(refusal(options_for("words-5", "chars-5")),
            "also: recipe 'chars-5' must be of the other kind than 'words-5', which is a MinHash");
  EXPECT_EQ(refusal(options_for("simhash-chars-4", "simhash-words")),
            "also: recipe 'simhash-words' must be of the other kind than 'simhash-chars-4', which is a fingerprint");
  EXPECT_EQ(refusal(options_for("python-simhash-text", "simhash-chars-4")),
            "also: recipe 'simhash-chars-4' must be of the other kind than 'python-simhash-text', which is a fingerprint");
}

TEST(PairStrategies, WeightsRequireASingleRecipe) {
  for (const auto& [verify, name] : {std::pair{Verify::kCosine, "cosine"}, {Verify::kWeightedJaccard, "weighted-jaccard"}}) {
    Options options = options_for("simhash-chars-4", "words-5");
    options.verify = verify;
    EXPECT_EQ(refusal(options),
              fmt::format("verify '{}' requires a single recipe; recipe 'simhash-chars-4' is combined with another one", name));
    options = options_for("simhash-chars-4");
    options.verify = verify;
    options.search = Search::kExact;
    EXPECT_EQ(refusal(options),
              fmt::format("search 'exact' compares all pairs by features; with verify '{}' it is for MinHash recipes, and "
                          "recipe 'simhash-chars-4' makes fingerprints",
                          name));
  }
}

TEST(PairStrategies, WeightsAreCountedForAMinHashOnly) {
  Options options;
  options.verify = Verify::kWeightedJaccard;
  PairStrategy strategy = choose_pair_strategy(options, Recipe::load("words-5"), nullptr);
  EXPECT_EQ(strategy.judge, Judge::kWeightedJaccard);
  EXPECT_TRUE(strategy.weighted());
  EXPECT_TRUE(strategy.counts_features());
  EXPECT_EQ(strategy.rule.filter.row_bytes(), 0u) << "equal lanes bound no weighted similarity";
  strategy = choose_pair_strategy(options, Recipe::load("simhash-chars-4"), nullptr);
  EXPECT_TRUE(strategy.weighted());
  EXPECT_FALSE(strategy.counts_features());
  options.search = Search::kExact;
  EXPECT_TRUE(choose_pair_strategy(options, Recipe::load("words-5"), nullptr).counts_features());
}

TEST(PairStrategies, MeasuresHaveNames) {
  const auto name = [](const char* recipe, Verify verify, const char* also = "") {
    Options options = options_for(recipe, also);
    options.verify = verify;
    const Recipe second = Recipe::load(*also == '\0' ? recipe : also);
    return measure_name(choose_pair_strategy(options, Recipe::load(recipe), *also == '\0' ? nullptr : &second));
  };
  EXPECT_EQ(name("words-5", Verify::kTrue), "jaccard");
  EXPECT_EQ(name("words-5", Verify::kFalse), "none");
  EXPECT_EQ(name("words-5", Verify::kCosine), "cosine");
  EXPECT_EQ(name("words-5", Verify::kWeightedJaccard), "weighted-jaccard");
  EXPECT_EQ(name("simhash-chars-4", Verify::kTrue), "distance");
  EXPECT_EQ(name("simhash-chars-4", Verify::kJaccard), "jaccard");
  EXPECT_EQ(name("simhash-chars-4", Verify::kTrue, "words-5"), "jaccard");
  Options options;
  options.measure = Measure::kContainment;
  EXPECT_EQ(measure_name(choose_pair_strategy(options, Recipe::load("words-5"), nullptr)), "containment");
}

TEST(PairStrategies, BlocksRequireASingleMinHash) {
  Options options = options_for("simhash-chars-4");
  options.block_on = "brand";
  EXPECT_EQ(refusal(options),
            "block_on: requires a single recipe of MinHash, which compares features; recipe 'simhash-chars-4' makes fingerprints");
  options.also = "words-5";
  const std::string combined = "block_on: requires a single recipe of MinHash, which compares features; recipe '{}' is combined with also";
  EXPECT_EQ(refusal(options), fmt::format(fmt::runtime(combined), "simhash-chars-4"));
  std::swap(options.recipe, options.also);
  EXPECT_EQ(refusal(options), fmt::format(fmt::runtime(combined), "words-5"));
}

TEST(PairStrategies, VerifyOffRequiresOneSketch) {
  for (const auto& [recipe, also] : {std::pair{"words-5", "simhash-chars-4"}, {"simhash-chars-4", "words-5"}}) {
    Options options = options_for(recipe, also);
    options.verify = Verify::kFalse;
    EXPECT_EQ(refusal(options), "also: cannot be combined with verify off");
    options.search = Search::kExact;
    EXPECT_EQ(refusal(options), "search 'exact' always verifies; it cannot be combined with verify 'false'");
  }
}

TEST(PairStrategies, HammingIsTheSearchOfFingerprints) {
  Options options = options_for("words-5");
  options.search = Search::kHamming;
  const std::string refused =
      "search 'hamming' is for recipes of fingerprints; recipe 'words-5' is a MinHash, for which there are 'lsh' and 'exact'";
  EXPECT_EQ(refusal(options), refused);
  options.also = "simhash-chars-4";
  EXPECT_EQ(refusal(options), refused);

  // A recipe of fingerprints means the same with and without it, alone and with another one.
  const std::vector<std::string> texts = {"the quick brown fox jumps over the lazy dog and runs",
                                          "a different text altogether, not like it",
                                          "the quick brown fox jumps over the lazy dog and walks"};
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const std::string also : {"", "words-5"}) {
    for (const Verify verify : {Verify::kTrue, Verify::kJaccard}) {
      options = options_for("simhash-chars-4", also);
      options.verify = verify;
      options.max_distance = 20;
      options.threshold = Threshold::from_millionths(500'000);
      const auto by_default = pair_texts(views, options);
      options.search = Search::kHamming;
      const auto named = pair_texts(views, options);
      ASSERT_EQ(named.size(), 1u) << also;
      ASSERT_EQ(by_default.size(), 1u) << also;
      EXPECT_EQ(std::pair(named[0].a, named[0].b), std::pair(by_default[0].a, by_default[0].b));
      EXPECT_EQ(named[0].similarity, by_default[0].similarity);
    }
  }
}

TEST(PairStrategies, BandsAreThoseOfTheMinHash) {
  Options options = options_for("simhash-chars-4", "words-5");
  options.bands = 65;
  options.rows_per_band = 2;
  EXPECT_EQ(refusal(options), "65 bands of 2 rows need 130 lanes; recipe 'words-5' has 128");
  options.bands = 0;
  EXPECT_EQ(refusal(options), "rows_per_band: 2 needs the number of bands, too");
}

TEST(PairStrategies, WhatTheyComeTo) {
  const Recipe codes = Recipe::load("simhash-chars-4");
  const Recipe lanes = Recipe::load("words-5");
  Options options;
  PairStrategy strategy = choose_pair_strategy(options, codes, nullptr);
  EXPECT_EQ(strategy.judge, Judge::kHamming);
  EXPECT_EQ(strategy.rule.bits, 64u);
  EXPECT_EQ(strategy.rule.max_distance, 3u);
  EXPECT_EQ(strategy.rule.lsh.bands, 0u);
  strategy = choose_pair_strategy(options, lanes, nullptr);
  EXPECT_EQ(strategy.judge, Judge::kJaccard);
  EXPECT_EQ(strategy.rule.bits, 0u);
  EXPECT_GT(strategy.rule.lsh.bands, 0u);
  strategy = choose_pair_strategy(options, codes, &lanes);
  EXPECT_EQ(strategy.judge, Judge::kJaccard);
  EXPECT_TRUE(strategy.rule.both());
  EXPECT_EQ(strategy.rule.filter.row_bytes(), 0u) << "the lanes are not those of the features that judge";
  strategy = choose_pair_strategy(options, lanes, &codes);
  EXPECT_TRUE(strategy.rule.both());
  options.search = Search::kExact;
  EXPECT_EQ(choose_pair_strategy(options, codes, nullptr).judge, Judge::kHamming) << "the search over fingerprints misses nothing anyway";
}

TEST(PairStrategies, GroupsAreDecidedOneByOneWhereASearchByKeysFindsWhatFeaturesJudge) {
  const Recipe codes = Recipe::load("simhash-chars-4");
  const Recipe lanes = Recipe::load("words-5");
  const auto by_group = [](const Options& options, const Recipe& recipe, const Recipe* also = nullptr) {
    return choose_pair_strategy(options, recipe, also).decides_by_group();
  };
  Options options;
  EXPECT_TRUE(by_group(options, lanes));
  EXPECT_TRUE(by_group(options, codes, &lanes));
  EXPECT_FALSE(by_group(options, codes)) << "a distance needs no features";
  for (const Verify verify : {Verify::kCosine, Verify::kWeightedJaccard, Verify::kJaccard}) {
    options.verify = verify;
    EXPECT_TRUE(by_group(options, lanes));
    EXPECT_TRUE(by_group(options, codes));
  }
  options.verify = Verify::kFalse;
  EXPECT_FALSE(by_group(options, lanes)) << "nothing is judged";
  options = {};
  options.search = Search::kExact;
  EXPECT_FALSE(by_group(options, lanes));
  for (const Search search : {Search::kLsh, Search::kExact}) {
    options.search = search;
    options.measure = Measure::kContainment;
    EXPECT_FALSE(by_group(options, lanes)) << "a join finds and judges the pairs";
  }
}

TEST(PairStrategies, ADistanceIsForFingerprints) {
  Options options;
  options.max_distance = 5;
  try {
    dedup_texts({}, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "max_distance: 5 is for fingerprints, and recipe 'words-5' makes none");
  }
}

TEST(PairStrategies, ContainmentIsOfFeaturesAndDirectional) {
  const auto contained = [](const std::string& recipe, const std::string& also = {}) {
    Options options = options_for(recipe, also);
    options.measure = Measure::kContainment;
    return options;
  };
  EXPECT_EQ(refusal(contained("simhash-words-3")),
            "measure 'containment' compares features, and recipe 'simhash-words-3' makes "
            "fingerprints; take a MinHash recipe, such as words-5");
  EXPECT_EQ(refusal(contained("words-5", "simhash-words-3")), "measure 'containment' looks at all pairs and cannot be combined with also");
  Options options = contained("words-5");
  options.verify = Verify::kJaccard;
  EXPECT_EQ(refusal(options), "measure 'containment' always verifies by the features; verify must be 'true'");
  options = contained("words-5");
  options.cluster = Cluster::kComponents;
  EXPECT_EQ(refusal(options),
            "measure 'containment' is directional: a template would connect all texts that contain it; cluster must be 'scan'");
  options = contained("words-5");
  options.keep = "source-order,shortest";
  EXPECT_EQ(refusal(options),
            "measure 'containment' removes a text only after its container was kept, which keep 'source-order,shortest' "
            "ranks later; take 'auto' (most features first) or 'longest'");
  options = contained("words-5");
  EXPECT_EQ(plan_run(options).bands, 0u);  // whatever the search is
  options.batch = 10;
  EXPECT_THROW(plan_run(options), Error);
}

}  // namespace
}  // namespace neardup
