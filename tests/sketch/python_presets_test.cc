// Every record of the Python package simhash 2.1.2 (with jieba 0.42.1 where it cuts) out of recipes: Sketcher, segmenter and all.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "neardup/sketcher.h"
#include "sketch/python_simhash.h"
#include "support/allowed_skips.h"
#include "support/jieba.h"
#include "text/jieba/jieba_keywords.h"

namespace neardup {
namespace {

std::string text_of(const boost::json::value& value) {
  return std::string(value.as_string());
}

std::vector<boost::json::object> golden_rows(const std::filesystem::path& path) {
  std::vector<boost::json::object> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) rows.push_back(boost::json::parse(line).as_object());
  return rows;
}

std::string hex_by(const Recipe& recipe, std::string_view text) {
  static std::map<uint64_t, Sketcher> sketchers;  // made once: a Sketcher reads its dictionary
  const Sketcher& sketcher = sketchers.try_emplace(recipe.id(), recipe).first->second;
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(sketcher.sketch_words());
  if (sketcher.sketch(text, scratch, words).too_short) return "too short";
  const Fingerprint128 made = Sketcher::fingerprint(words);
  return recipe.bits == 64 ? to_hex(made.low_half()) : to_hex(made);
}

Recipe keywords_recipe(uint32_t top, PythonScale scale, double factor = 1) {
  Recipe recipe = Recipe::load("python-simhash-keywords");
  recipe.top_k = top;
  recipe.python_scale = scale;
  recipe.python_factor = factor;
  return recipe;
}

// By the parts that a recipe is made of.
std::string keywords_by_hand(std::string_view text, size_t top, double scale) {
  static const JiebaKeywordExtractor extractor(*testing::real_dictionary());
  JiebaKeywordScratch scratch;
  std::vector<PythonToken> tokens;
  for (const JiebaKeyword& keyword : extractor.extract(text, top, scratch))
    tokens.push_back({keyword.word, static_cast<int64_t>(std::floor(keyword.weight * scale))});
  return to_hex(python_simhash_weighted(tokens).low_half());
}

// Empty for the kinds that are given as a list already.
std::string hex_of_row(const boost::json::object& row) {
  const std::string kind = text_of(row.at("kind"));
  if (kind == "text") {
    Recipe recipe = Recipe::load("python-simhash-text");
    recipe.bits = row.at("f").to_number<uint32_t>();
    return hex_by(recipe, text_of(row.at("input")));
  }
  if (kind == "cut_all") {
    Recipe recipe = Recipe::load("python-simhash-tokens");
    recipe.tokenizer = TokenizerKind::kJiebaFull;
    recipe.resolve();
    return hex_by(recipe, text_of(row.at("input")));
  }
  if (kind == "keywords") {
    const bool counted = row.at("scale").is_string();
    const auto top = row.at("topk").to_number<uint32_t>();
    return hex_by(counted ? keywords_recipe(top, PythonScale::kKeywords)
                          : keywords_recipe(top, PythonScale::kConstant, row.at("scale").to_number<double>()),
                  text_of(row.at("input")));
  }
  return {};
}

TEST(PythonPresets, EveryGoldenRecord) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("simhash-golden.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  std::map<std::string, int> compared;
  std::map<std::string, std::string> made;
  for (const auto& row : golden_rows(path)) {
    const std::string name = text_of(row.at("case"));
    const std::string kind = text_of(row.at("kind"));
    if (kind == "distance") {
      const auto a = fingerprint64_from_hex(made.at(text_of(row.at("a"))));
      const auto b = fingerprint64_from_hex(made.at(text_of(row.at("b"))));
      ASSERT_TRUE(a && b) << name;
      EXPECT_EQ(hamming_distance(*a, *b), row.at("distance").to_number<uint32_t>()) << name;
      ++compared[kind];
      continue;
    }
    const std::string hex = hex_of_row(row);
    if (hex.empty()) continue;
    made[name] = hex;
    // The empty text has a fingerprint in the package; here it is matched by its exact hash.
    const bool empty = kind == "text" && text_of(row.at("input")).empty();
    EXPECT_EQ(hex, empty ? "too short" : text_of(row.at("hex"))) << name;
    ++compared[kind];
  }
  EXPECT_EQ(compared["text"], 118);
  EXPECT_EQ(compared["keywords"], 88);
  EXPECT_EQ(compared["cut_all"], 22);
  EXPECT_EQ(compared["distance"], 2);  // the pair of the blog: 10 by texts, 3 by its words in full mode
}

// Values of the package for jieba.lcut() of these texts: every token counts once for each time, white space among them.
//   Simhash(jieba.lcut(text)).value, Simhash([(w, math.floor(x * n)) for w, x in extract_tags(text, 200, True)]).value
TEST(PythonPresets, ShortTexts) {
  NEARDUP_NEEDS_DICTIONARY();
  const Recipe tokens = Recipe::load("python-simhash-tokens");
  const Recipe keywords = Recipe::load("python-simhash-keywords");
  EXPECT_EQ(hex_by(tokens, ""), "too short");
  EXPECT_EQ(hex_by(keywords, ""), "too short");
  EXPECT_EQ(hex_by(keywords, "\u7684"), "too short") << "a word of one character is not a keyword";
}

TEST(PythonPresets, TheScaleOfCharacters) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string text = "\u8BBA\u6587\u67E5\u91CD\u7CFB\u7EDF\u7684\u8BBE\u8BA1\u4E0E\u5B9E\u73B0, \u8BBA\u6587\u67E5\u91CD";
  Recipe recipe = Recipe::load("python-simhash-keywords");
  recipe.python_scale = PythonScale::kCharacters;
  EXPECT_EQ(hex_by(recipe, text), keywords_by_hand(text, 200, 18));
  recipe.top_k = 2;
  EXPECT_EQ(hex_by(recipe, text), keywords_by_hand(text, 2, 18));
}

// The values are those of python_keywords_checksum.py.
TEST(PythonPresets, ConstantScalesAndRawWeights) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string texts[] = {
      "本市图书馆新馆昨日正式开放，新馆共有六层，藏书一百二十万册，设有阅览座位三千个，并为视障读者准备了盲文和有声读物。",
      "本市图书馆的新馆于昨日正式开放，共有六层，藏书一百二十万册，阅览座位三千个，还为视障读者准备了有声读物和盲文。"};
  struct Case {
    PythonScale scale;
    double factor;
    std::string fingerprints[2];  // of 128 bits
  };
  for (const Case& each : {Case{PythonScale::kKeywords, 1, {"a230ac8ce9b2063fdaec2b2d67b54055", "2034a88ca9b20733cafcab2d67b76845"}},
                           Case{PythonScale::kConstant, 200, {"a230ac8ce9b2073bdaec2b2f67b54055", "2034a88cadba0f33cafcab2d67b76845"}},
                           Case{PythonScale::kConstant, 7.5, {"a230ac8ce9b20737caec2b2f67b54055", "3034a88ca9b2033bcaecab2d67b74045"}},
                           Case{PythonScale::kRaw, 1, {"a230ac8ce9b2073bdaec2b2d67b54055", "2034a88cadba0f33cafcab2d67b76845"}}}) {
    Recipe recipe = keywords_recipe(200, each.scale, each.factor);
    for (size_t i = 0; i < 2; ++i) {
      recipe.bits = 128;
      EXPECT_EQ(hex_by(recipe, texts[i]), each.fingerprints[i]) << recipe.canonical_json();
      recipe.bits = 64;
      EXPECT_EQ(hex_by(recipe, texts[i]), each.fingerprints[i].substr(16)) << recipe.canonical_json();
    }
  }
}

// The pair of the article: extract_tags(text, topK=200) with floor(weight * n), floor(weight * 200) and the weights themselves.
TEST(PythonPresets, DistancesOfTheArticlesPair) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("blog-example.json");
  NEARDUP_NEEDS_SHARED(path);
  std::ifstream file(path);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const auto pair = boost::json::parse(bytes.str()).as_object();
  const auto distance = [&](const Recipe& recipe) {
    const auto a = fingerprint64_from_hex(hex_by(recipe, text_of(pair.at("a"))));
    const auto b = fingerprint64_from_hex(hex_by(recipe, text_of(pair.at("b"))));
    return hamming_distance(*a, *b);
  };
  EXPECT_EQ(distance(keywords_recipe(200, PythonScale::kKeywords)), 6u);
  EXPECT_EQ(distance(keywords_recipe(200, PythonScale::kConstant, 200)), 4u);
  EXPECT_EQ(distance(keywords_recipe(200, PythonScale::kRaw)), 5u);
}

}  // namespace
}  // namespace neardup
