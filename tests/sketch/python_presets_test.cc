// Every record of the Python package simhash 2.1.2 (with jieba 0.42.1 where it cuts) out of recipes: Sketcher, segmenter and all.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <map>
#include <string>

#include "neardup/sketcher.h"
#include "sketch/python_simhash.h"
#include "support/jieba.h"
#include "text/jieba_keywords.h"

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
  const Sketcher sketcher(recipe);
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(sketcher.sketch_words());
  if (sketcher.sketch(text, scratch, words).too_short) return "too short";
  const Fingerprint128 made = Sketcher::fingerprint(words);
  return recipe.bits == 64 ? to_hex(made.low_half()) : to_hex(made);
}

// floor(weight * 200): a scale that is a number is none of a recipe's; the parts that one is made of give it.
std::string keywords_by_hand(std::string_view text, size_t top, double scale) {
  static const JiebaKeywordExtractor extractor(*testing::real_dictionary());
  JiebaKeywordScratch scratch;
  std::vector<PythonToken> tokens;
  for (const JiebaKeyword& keyword : extractor.extract(text, top, scratch))
    tokens.push_back({keyword.word, static_cast<int64_t>(std::floor(keyword.weight * scale))});
  return to_hex(python_simhash_weighted(tokens).low_half());
}

// Empty for the kinds that are given as a list already.
std::string made_of(const boost::json::object& row) {
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
    Recipe recipe = Recipe::load("python-simhash-keywords");
    recipe.top_k = row.at("topk").to_number<uint32_t>();
    if (row.at("scale").is_string()) return hex_by(recipe, text_of(row.at("input")));
    return keywords_by_hand(text_of(row.at("input")), recipe.top_k, row.at("scale").to_number<double>());
  }
  return {};
}

TEST(PythonPresets, EveryGoldenRecord) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("simhash-golden.jsonl");
  NEARDUP_NEEDS_GOLDEN(path);
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
    const std::string hex = made_of(row);
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
  EXPECT_EQ(hex_by(keywords, "\u7684"), "too short") << "a word of one character is no keyword";
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

}  // namespace
}  // namespace neardup
