// Every preset against an independent slow way: tokens from the parts one by one, weights by a map, the sketch by its definition.
#include "neardup/sketcher.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "features/feature_set.h"
#include "features/frequency_tables.h"
#include "sketch/signature_hasher.h"
#include "sketch/sketcher_access.h"
#include "support/jieba.h"
#include "support/sketching.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/text_generators.h"
#include "text/tokens/code_tokenizer_reference.h"
#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"
#include "text/tokens/tokenizer.h"
#include "text/tokens/tokenizer_reference.h"

namespace neardup {
namespace {

using testing::as_map;
using testing::fingerprint_of;
using testing::slow_fingerprint;

using Weights = std::map<uint64_t, int64_t>;

const std::vector<std::string>& texts() {
  static const std::vector<std::string> made = {
      "",
      " ",
      "a",
      "The cats were running; the cat ran. Running cats run!",
      "THE THE the of and",
      "<p>\u4E2D\u56FD\u4EBA\u6C11</p> and <b>more</b> words <i",
      "\u8BBA\u6587\u67E5\u91CD\u7CFB\u7EDF\u7684\u8BBE\u8BA1\u4E0E\u5B9E\u73B0\uFF0C\u6211\u4EEC\u91C7\u7528\u81EA\u7136\u8BED\u8A00\u5904"
      "\u7406\u65B9\u6CD5\u3002",
      "\u7684\u7684\u7684\u7684\u7684\u7684\u7684\u7684",
      "\u4E2D \u56FD \u4EBA\u3000\u6C11\n\u4E2D\u56FD Python 3.11 \uFF21\uFF22\uFF23",
      "malformed \xFF\xFE \xE4\xB8 \xED\xA0\x80 and so on \xF0\x9F",
      "?!\u2026\u3002\uFF0C",
      std::string("zero\0byte and more words", 24),
      std::string(3000, 'x'),
  };
  return made;
}

bool needs_dictionary(std::string_view preset) {
  return preset.find("jieba") != preset.npos || preset == "python-simhash-tokens" || preset == "python-simhash-keywords";
}

const DocumentFrequencyTable& table() {
  static const auto made = testing::table_of({{"cat", 3}, {"run", 9}, {"word", 1}}, 9);
  return made;
}

// For all presets that this build has the dictionary for.
template <typename Body>
void for_presets(const Body& body) {
  static const auto sketchers = [] {  // made once: a Sketcher reads its dictionary
    std::vector<std::pair<Recipe, std::unique_ptr<Sketcher>>> made;
    for (const std::string_view name : Recipe::preset_names()) {
      if (needs_dictionary(name) && testing::real_dictionary() == nullptr) continue;
      Recipe recipe = Recipe::load(std::string(name));
      auto sketcher = std::make_unique<Sketcher>(recipe, &table());
      made.emplace_back(std::move(recipe), std::move(sketcher));
    }
    for (const char* const name : {"words-5", "chars-5"}) {  // the sketch that no preset has
      Recipe recipe = Recipe::load(name);
      recipe.name += " by one permutation";
      recipe.sketch = SketchKind::kMinHashV2;
      recipe.lanes = 100;
      made.emplace_back(recipe, std::make_unique<Sketcher>(recipe));
    }
    return made;
  }();
  for (const auto& [recipe, sketcher] : sketchers) body(recipe, *sketcher);
}

// Runs of tokens, counted by the hash of the text that they make.
Weights count_shingles(const TokenBuffer& tokens, const Recipe& recipe) {
  std::vector<std::string> list;
  for (size_t i = 0; i < tokens.size(); ++i) list.emplace_back(tokens.token(i));
  const std::string separator(tokens.separator_bytes, ' ');
  const auto joined = [&](size_t first, size_t end) {
    std::string run;
    for (size_t i = first; i < end; ++i) run += (i == first ? "" : separator) + list[i];
    return hash64(run);
  };
  Weights counts;
  if (list.size() < recipe.shingle_size) {
    if (!list.empty() && recipe.short_text == ShortText::kWhole) ++counts[joined(0, list.size())];
    return counts;
  }
  for (size_t first = 0; first + recipe.shingle_size <= list.size(); ++first) ++counts[joined(first, first + recipe.shingle_size)];
  return counts;
}

// What every feature is combined with: numbers are found and shortened by patterns.
uint64_t slow_number_key(const Recipe& recipe, std::string_view normalized) {
  if (!recipe.numbers_agree) return 0;
  static const std::regex number("[0-9]+(\\.[0-9]+)?");
  static const std::regex zeros("^0+(?=[0-9])|(\\.[0-9]*[1-9])0+$|\\.0+$");
  const std::string text(normalized);
  std::multiset<std::string> numbers;
  for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found) {
    numbers.insert(std::regex_replace(found->str(), zeros, "$1"));
  }
  std::string joined;
  for (const std::string& each : numbers) joined += each + " ";
  return mix64(hash64(joined));
}

// What a preset without a dictionary makes of a text, by the slow twins of its parts.
Weights slow_features(const Recipe& recipe, std::string_view text) {
  RawVector<char> normalized;
  std::string piece;
  make_reference_normalizer(recipe.normalizer)->normalize(text, normalized, piece);
  TokenBuffer tokens;
  if (recipe.tokenizer == TokenizerKind::kCode) {
    make_reference_code_tokenizer(recipe.code)->tokenize(view_of(normalized), tokens);
  } else {
    make_reference_tokenizer(recipe.tokenizer)->tokenize(view_of(normalized), tokens);
  }
  if (!recipe.stop_words.empty()) {
    const StopWords stop_words = StopWords::load(recipe.stop_words);
    const Stemmer stemmer(recipe.stemmer);
    Stemmer::Scratch scratch(stemmer);
    TokenBuffer kept;
    kept.clear(1);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!stop_words.contains(tokens.token(i))) kept.append(stemmer.stem(tokens.token(i), scratch));
    }
    tokens = kept;
  }
  Weights weights;
  for (const auto& [hash, weight] : count_shingles(tokens, recipe)) weights[hash ^ slow_number_key(recipe, view_of(normalized))] = weight;
  for (auto& [hash, weight] : weights) {
    if (recipe.weighting == Weighting::kNone) weight = 1;
    if (recipe.weighting == Weighting::kTfIdf) weight *= table().idf(hash);
  }
  return weights;
}

TEST(Sketcher, PresetsWithoutADictionaryEqualTheSlowWay) {
  for_presets([](const Recipe& recipe, const Sketcher& sketcher) {
    if (recipe.uses_jieba() || recipe.clean != "[]") return;  // cleaners have tests of their own
    Sketcher::Scratch scratch;
    for (const std::string& text : texts()) {
      EXPECT_EQ(as_map(sketcher.weighted_features(text, scratch)), slow_features(recipe, text)) << recipe.name << ": " << text;
    }
  });
}

// From the features on, for all presets: the sketch is the definition's, and words are what the features are hashes of.
void expect_consistent(const Recipe& recipe, const Sketcher& sketcher, const std::string& text) {
  Sketcher::Scratch scratch;
  const uint64_t key = slow_number_key(recipe, sketcher.normalize(text, scratch));
  const auto weighted = sketcher.weighted_features(text, scratch);
  EXPECT_TRUE(std::ranges::is_sorted(weighted, {}, &WeightedFeature::hash));
  const Weights weights = as_map(weighted);
  EXPECT_EQ(weights.size(), weighted.size()) << "no hash twice";
  for (const auto& [hash, weight] : weights) EXPECT_GT(weight, 0);

  Weights of_words;
  int32_t last = std::numeric_limits<int32_t>::max();
  for (const Sketcher::Word& word : sketcher.words(text, scratch)) {
    EXPECT_TRUE(of_words.emplace(hash64(word.word) ^ key, word.weight).second) << word.word;
    EXPECT_LE(word.weight, last);
    last = word.weight;
  }
  EXPECT_EQ(of_words, weights);

  std::vector<uint64_t> hashes;
  for (const auto& [hash, weight] : weights) hashes.push_back(hash);
  const auto features = sketcher.features(text, scratch);
  EXPECT_TRUE(std::ranges::equal(features, hashes));

  std::vector<uint32_t> sketch(sketcher.sketch_words(), 0xABABABABu);
  const auto result = sketcher.sketch(text, scratch, sketch);
  EXPECT_EQ(result.too_short, weights.size() < recipe.min_features);
  EXPECT_EQ(result.exact, sketcher.exact(text, scratch).exact);
  if (result.too_short) {
    EXPECT_TRUE(std::ranges::all_of(sketch, [](uint32_t word) { return word == 0xABABABABu; }));
  } else if (recipe.sketch == SketchKind::kSimHash) {
    EXPECT_EQ(Sketcher::fingerprint(sketch), slow_fingerprint(weights, recipe.bits));
  } else if (!recipe.fingerprints()) {
    std::vector<uint32_t> expected(recipe.lanes);
    signature_reference(hashes, recipe, expected);
    EXPECT_EQ(sketch, expected);
  }
}

TEST(Sketcher, EveryPresetIsConsistent) {
  for_presets([](const Recipe& recipe, const Sketcher& sketcher) {
    for (const std::string& text : texts()) {
      SCOPED_TRACE(recipe.name + ": " + text);
      expect_consistent(recipe, sketcher, text);
    }
  });
}

RC_GTEST_PROP(SketcherLaw, presets_are_consistent_for_any_text, ()) {
  const std::string text = *testing::text();
  for_presets([&](const Recipe& recipe, const Sketcher& sketcher) {
    expect_consistent(recipe, sketcher, text);
    RC_ASSERT(!::testing::Test::HasFailure());
  });
}

TEST(Sketcher, MoreBitsKeepTheLowOnes) {
  for (const char* name : {"simhash-words-3", "simhash-chars-4", "simhash-words"}) {
    Recipe recipe = Recipe::load(name);
    const Sketcher narrow(recipe, &table());
    recipe.bits = 128;
    const Sketcher wide(recipe, &table());
    EXPECT_EQ(narrow.sketch_words(), 2u);
    EXPECT_EQ(wide.sketch_words(), 4u);
    Sketcher::Scratch scratch;
    for (const std::string& text : texts()) {
      const auto both = fingerprint_of(wide, text);
      ASSERT_EQ(both.has_value(), fingerprint_of(narrow, text).has_value());
      if (!both) continue;
      EXPECT_EQ(fingerprint_of(narrow, text)->low, both->low);
      EXPECT_EQ(both, slow_fingerprint(as_map(wide.weighted_features(text, scratch)), 128));
    }
  }
}

TEST(Sketcher, ABusyScratchGivesWhatAFreshOneGives) {
  for_presets([](const Recipe& recipe, const Sketcher& sketcher) {
    Sketcher::Scratch used;
    for (int round = 0; round < 2; ++round) {
      for (const std::string& text : texts()) {
        Sketcher::Scratch fresh;
        std::vector<uint32_t> expected(sketcher.sketch_words());
        std::vector<uint32_t> got(sketcher.sketch_words());
        EXPECT_EQ(sketcher.sketch(text, fresh, expected).exact, sketcher.sketch(text, used, got).exact);
        EXPECT_EQ(expected, got) << recipe.name << ": " << text;
      }
    }
  });
}

std::vector<uint64_t> features_of(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch) {
  const auto features = sketcher.features(text, scratch);
  return {features.begin(), features.end()};
}

TEST(Sketcher, NumbersThatDifferLeaveNothingInCommon) {
  const Sketcher sketcher(Recipe::load("record-chars-2"));
  Sketcher::Scratch scratch;
  const auto common = [&](std::string_view a, std::string_view b) {
    const auto of_a = features_of(sketcher, a, scratch);
    return count_common(of_a, features_of(sketcher, b, scratch));
  };
  EXPECT_EQ(common("acme drill 12 v", "acme drill 18 v"), 0u);
  EXPECT_EQ(common("acme drill 12", "acme drill"), 0u);
  EXPECT_EQ(common("acme drill 12 12", "acme drill 12"), 0u);
  EXPECT_EQ(common("12 ", "18 "), 0u);
  EXPECT_EQ(common("drill 12 x 3", "drill 3 x 12"), 10u);  // all but "2 " and "3 "
  EXPECT_EQ(common("DRILL 12.0", "drill 12"), 7u);
}

TEST(Sketcher, BlocksHaveNothingInCommon) {
  const Sketcher sketcher(Recipe::load("record-chars-2"));
  Sketcher::Scratch scratch;
  const auto in_block = [&](std::string_view block) {
    SketcherAccess::enter_block(sketcher, block, scratch);
    std::vector<uint32_t> sketch(sketcher.sketch_words());
    const ExactHash exact = sketcher.sketch("acme drill 12 ", scratch, sketch).exact;
    return std::tuple(exact, sketch, features_of(sketcher, "acme drill 12 ", scratch));
  };
  const auto [exact, sketch, features] = in_block("Acme");
  EXPECT_EQ(in_block("\uFF21cme "), std::tuple(exact, sketch, features)) << "normalized";
  for (const char* other : {"", "acm", "12 ", "acme drill 12"}) {
    const auto [other_exact, other_sketch, other_features] = in_block(other);
    EXPECT_NE(other_exact.high, exact.high);
    EXPECT_NE(other_exact.low, exact.low);
    EXPECT_EQ(count_common(other_features, features), 0u) << other;
    EXPECT_EQ(other_features.size(), features.size());
    size_t equal_lanes = 0;
    for (size_t i = 0; i < sketch.size(); ++i) equal_lanes += sketch[i] == other_sketch[i];
    EXPECT_EQ(equal_lanes, 0u) << other;
  }
  EXPECT_TRUE(SketcherAccess::enter_block(sketcher, " a", scratch));
  for (const char* nothing : {"", " \t", "\u3000", "\u00AD"}) {
    EXPECT_FALSE(SketcherAccess::enter_block(sketcher, nothing, scratch));
    EXPECT_EQ(sketcher.exact("acme drill 12 ", scratch).exact, std::get<0>(in_block("")));
  }
  Sketcher::Scratch fresh;
  EXPECT_NE(sketcher.exact("acme drill 12 ", fresh).exact, std::get<0>(in_block(""))) << "no block is not the block without a name";
}

TEST(Sketcher, AnIdfOfTheCorpusNeedsATable) {
  try {
    const Sketcher sketcher(Recipe::load("simhash-words"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_STREQ(error.what(), "recipe 'simhash-words' weighs by the IDF of a corpus; it needs a table here: neardup idf fit");
  }
}

}  // namespace
}  // namespace neardup
