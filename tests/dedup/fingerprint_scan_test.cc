// Runs over fingerprints against the naive sequential oracle: scan rule, components and pairs, every way to verify.
#include <gtest/gtest.h>

#include "neardup/error.h"
#include "support/corpus.h"
#include "support/fingerprint_oracle.h"
#include "support/recipe_file.h"
#include "support/verdicts.h"

namespace neardup {
namespace {

using testing::CorpusShape;
using testing::expect_verdicts;
using testing::FingerprintOracle;
using testing::input_order;
using testing::make_corpus;
using testing::RecipeFile;
using testing::simhash_words_json;
using testing::views;

const CorpusShape kFingerprintShapes[] = {
    {},
    {.originals = 20, .words = 12, .vocabulary = 8, .max_copies = 6, .edit_rate = 0.2, .boilerplate = 0},  // short, chance matches
    {.originals = 4, .words = 80, .vocabulary = 900, .max_copies = 90, .edit_rate = 0.06, .boilerplate = 0},
    {.originals = 80, .words = 10, .vocabulary = 900, .max_copies = 2, .edit_rate = 0.1, .boilerplate = 90},  // all near one another
};
constexpr uint64_t kScanSeeds = 3;

struct Recipes {
  const RecipeFile tf_64{simhash_words_json(64, R"("weighting":{"kind":"tf_v1"},)")};
  const RecipeFile top_128{simhash_words_json(128, R"("weighting":{"kind":"tf_v1","top_k":20},)")};
  const RecipeFile shingles_128{simhash_words_json(128, "", 3)};
  const RecipeFile python_128{
      R"({"normalizer":"none_v1","tokenizer":"chars_v1","shingle":{"size":4,"short_text":"whole"},"min_features":1,)"
      R"("feature_hash":"xxh3_64_v1","sketch":{"kind":"python_simhash_v1","bits":128,"input":"text"}})"};
  [[nodiscard]] std::vector<std::string> all() const {
    return {"simhash-chars-4", tf_64.path(), top_128.path(), shingles_128.path(), python_128.path()};
  }
};

Options options_for(const std::string& recipe, uint32_t max_distance) {
  Options options;
  options.recipe = recipe;
  options.max_distance = max_distance;
  options.threads = 2;
  options.max_candidates = 0;
  return options;
}

void expect_pairs(const std::vector<TextPair>& expected, const std::vector<TextPair>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(expected[i].a, got[i].a);
    ASSERT_EQ(expected[i].b, got[i].b);
    ASSERT_EQ(expected[i].similarity, got[i].similarity);
  }
}

void expect_components(const FingerprintOracle& oracle, const std::vector<TextVerdict>& got) {
  const auto label = oracle.components();
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(label[i] == i, got[i].decision == Decision::kKeep) << "text " << i;
    if (label[i] == i) continue;
    ASSERT_EQ(label[i], got[i].keeper) << "text " << i;
    // Said of a member that is not similar enough to its keeper, as with a MinHash.
    const bool similar = oracle.copies(i, label[i]) || oracle.similarity(i, label[i]).has_value();
    ASSERT_EQ(got[i].reason == Reason::kConnected, !similar) << "text " << i;
  }
}

// Scan, pairs and components of one corpus. Returns how many near-duplicates were removed.
uint64_t expect_all(const std::vector<std::string>& texts, Options options) {
  const FingerprintOracle oracle(views(texts), options);
  Summary summary;
  expect_verdicts(oracle.scan(input_order(texts.size())), dedup_texts(views(texts), options, &summary));
  EXPECT_EQ(summary.read, summary.kept + summary.removed);
  expect_pairs(oracle.pairs(), pair_texts(views(texts), options));
  const uint64_t found = summary.near_duplicates;
  options.cluster = Cluster::kComponents;
  expect_components(oracle, dedup_texts(views(texts), options));
  return found;
}

TEST(FingerprintScan, DistanceEqualsTheOracle) {
  const Recipes recipes;
  uint64_t found = 0;
  for (const std::string& recipe : recipes.all()) {
    for (const CorpusShape& shape : kFingerprintShapes) {
      for (uint64_t seed = 1; seed <= kScanSeeds; ++seed) {
        for (const uint32_t max_distance : {0u, 3u, 12u}) {
          found += expect_all(make_corpus(seed, shape), options_for(recipe, max_distance));
          if (HasFatalFailure()) FAIL() << recipe << ", seed " << seed << ", distance " << max_distance;
        }
      }
    }
  }
  EXPECT_GT(found, 4000u);
}

// Inclusive, up to the number of bits: then all texts that are not too short match the first.
TEST(FingerprintScan, ExactlyTheDistanceAndAllBits) {
  const Recipes recipes;
  const auto texts = make_corpus(9, {.originals = 30, .words = 20, .vocabulary = 60, .max_copies = 2, .edit_rate = 0.1, .boilerplate = 2});
  for (const std::string& recipe : {std::string("simhash-chars-4"), recipes.top_128.path()}) {
    const uint32_t bits = Recipe::load(recipe).bits;
    const FingerprintOracle oracle(views(texts), options_for(recipe, bits));
    std::set<uint32_t> distances;
    for (size_t a = 0; a < texts.size(); ++a) {
      for (size_t b = 0; b < a; ++b) distances.insert(oracle.distance(a, b).value_or(0));
    }
    ASSERT_GT(distances.size(), 20u);
    for (const uint32_t distance : distances) {  // each is that of some pair; one less must lose it
      expect_pairs(FingerprintOracle(views(texts), options_for(recipe, distance)).pairs(),
                   pair_texts(views(texts), options_for(recipe, distance)));
      if (HasFatalFailure()) FAIL() << "distance " << distance;
    }
    expect_all(texts, options_for(recipe, bits));
    EXPECT_THROW(dedup_texts(views(texts), options_for(recipe, bits + 1)), Error);
  }
}

TEST(FingerprintScan, VerifyingByFeaturesEqualsTheOracle) {
  const Recipes recipes;
  uint64_t found = 0;
  for (const std::string& recipe : {std::string("simhash-chars-4"), recipes.tf_64.path(), recipes.top_128.path()}) {
    for (const CorpusShape& shape : kFingerprintShapes) {
      for (const Verify verify : {Verify::kJaccard, Verify::kCosine, Verify::kFalse}) {
        for (const uint32_t millionths : {500'000u, 930'000u, 1'000'000u}) {
          Options options = options_for(recipe, 12);
          options.verify = verify;
          options.threshold = Threshold::from_millionths(millionths);
          const auto texts = make_corpus(21, shape);
          if (verify == Verify::kFalse) {  // the distance is all there is to it
            expect_verdicts(FingerprintOracle(views(texts), options).scan(input_order(texts.size())), dedup_texts(views(texts), options));
            EXPECT_THROW(pair_texts(views(texts), options), Error);
          } else {
            found += expect_all(texts, options);
          }
          if (HasFatalFailure()) FAIL() << recipe << ", threshold " << millionths;
        }
      }
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(FingerprintScan, TwoRecipesInBothRoles) {
  const Recipes recipes;
  const std::pair<std::string, std::string> roles[] = {{"words-5", recipes.tf_64.path()},
                                                       {recipes.tf_64.path(), "words-5"},
                                                       {"words-5", recipes.top_128.path()},
                                                       {recipes.shingles_128.path(), "chars-5"},
                                                       {"chars-5", recipes.python_128.path()}};
  for (const auto& [recipe, also] : roles) {
    for (const CorpusShape& shape : kFingerprintShapes) {
      for (const uint32_t millionths : {300'000u, 700'000u}) {
        Options options = options_for(recipe, 6);
        options.also = also;
        options.bands = 8;  // few enough to miss pairs, which the other sketch may find
        options.rows_per_band = 8;
        options.threshold = Threshold::from_millionths(millionths);
        expect_all(make_corpus(31, shape), options);
        if (HasFatalFailure()) FAIL() << recipe << " and " << also << ", threshold " << millionths;
      }
    }
  }
}

TEST(FingerprintScan, KeepPoliciesOrderTheScan) {
  const Recipes recipes;
  for (const char* keep : {"first", "last", "longest", "shortest", "source-order", "source-order,longest", "longest,last"}) {
    for (uint64_t seed = 1; seed <= kScanSeeds; ++seed) {
      const auto texts = make_corpus(seed, kFingerprintShapes[0]);
      auto order = input_order(texts.size());
      const std::string_view policy = keep;
      if (policy.ends_with("last")) std::reverse(order.begin(), order.end());
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (policy.find("longest") != policy.npos) return texts[a].size() > texts[b].size();
        if (policy.find("shortest") != policy.npos) return texts[a].size() < texts[b].size();
        return false;
      });
      Options options = options_for(recipes.tf_64.path(), 8);
      options.keep = keep;
      expect_verdicts(FingerprintOracle(views(texts), options).scan(order), dedup_texts(views(texts), options));
      if (HasFatalFailure()) FAIL() << keep;
    }
  }
}

TEST(FingerprintScan, ShortAndEmptyTextsMatchTheirCopiesOnly) {
  const Recipes recipes;
  const std::vector<std::string> texts = {"", "one", "ONE", "two", "", " ", "one two three", "three two one", "?!", "..."};
  const auto verdicts = dedup_texts(views(texts), options_for(recipes.tf_64.path(), 64));  // at least 2 features
  using enum Reason;
  const Reason expected[] = {kKeeper, kKeeper, kExactCopy, kShort, kExactCopy, kExactCopy, kKeeper, kNearDuplicate, kShort, kShort};
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(verdicts[i].reason, expected[i]) << "text " << i;
  EXPECT_EQ(verdicts[7].keeper, 6u);
  EXPECT_EQ(verdicts[7].similarity, 1);
}

}  // namespace
}  // namespace neardup
