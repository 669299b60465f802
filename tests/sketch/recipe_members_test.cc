// The members that a recipe may have: which are part of its id, which defaults are not, and what the errors say.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "features/frequency_tables.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "sketch/canonical_recipe.h"
#include "support/jieba.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

// Members by name; an empty value leaves one out.
using Members = std::map<std::string, std::string>;

std::string json(const Members& changes) {
  Members members = {{"normalizer", R"("none_v1")"}, {"tokenizer", R"("words_v1")"},      {"shingle", R"({"size":1,"short_text":"none"})"},
                     {"min_features", "1"},          {"feature_hash", R"("xxh3_64_v1")"}, {"sketch", R"({"kind":"simhash_v1","bits":64})"}};
  for (const auto& [name, value] : changes) members[name] = value;
  std::string text;
  for (const auto& [name, value] : members) {
    if (!value.empty()) text += (text.empty() ? "{\"" : ",\"") + name + "\":" + value;
  }
  return text + "}";
}

uint64_t id_of(const Members& changes) {
  const Recipe recipe = Recipe::parse(json(changes), "mine", ::testing::TempDir());
  EXPECT_EQ(Recipe::parse(json_with_files(recipe), "again").id(), recipe.id()) << json_with_files(recipe);
  return recipe.id();
}

std::string error_of(const Members& changes, ErrorCode code = ErrorCode::kUsage) {
  try {
    Recipe::parse(json(changes), "mine", ::testing::TempDir());
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
}

std::string write(const std::string& name, const std::string& bytes) {
  std::ofstream(::testing::TempDir() + name, std::ios::binary) << bytes;
  return '"' + name + '"';
}

std::string table_file(const std::string& name, uint32_t count,
                       const std::string& description = R"({"normalizer":"none_v1","tokenizer":"words_v1"})") {
  testing::TableParts parts = testing::parts_of({{1, count}}, 9);
  parts.description = description;
  return write(name, testing::table_bytes(parts));
}

TEST(RecipeMembers, EachIsPartOfTheId) {
  const std::string tf = R"({"kind":"tf_v1"})";
  const std::string idf = table_file("members_1.idf", 1);
  const std::string other_idf = table_file("members_2.idf", 2);
  const std::vector<Members> all = {
      {},
      {{"normalizer", R"("lower_compact_v1")"}},
      {{"normalizer", R"("nfkc_lower_v1")"}},
      {{"tokenizer", R"("chars_v1")"}},
      {{"clean", R"(["tags_v1"])"}},
      {{"clean", R"(["html_v1"])"}},
      {{"clean", R"(["tags_v1","tags_v1"])"}},
      {{"clean", R"([{"cut_before":"x"}])"}},
      {{"clean", R"([{"cut_before":{"pattern":"x"}}])"}},
      {{"han_fold", R"("simplified_v1")"}},
      {{"stemmer", R"("english")"}},
      {{"stemmer", R"("german")"}},
      {{"stop_words", R"("english_v1")"}},
      {{"stop_words", R"("chinese_v1")"}},
      {{"stop_words", write("members_stop.txt", "one\ntwo\n")}},
      {{"weighting", tf}},
      {{"weighting", R"({"kind":"tf_v1","top_k":5})"}},
      {{"weighting", R"({"kind":"tf_v1","top_k":6})"}},
      {{"weighting", R"({"kind":"tf_idf_v1","idf":"corpus"})"}},
      {{"weighting", R"({"kind":"tf_idf_v1","idf":)" + idf + "}"}},
      {{"weighting", R"({"kind":"tf_idf_v1","idf":)" + other_idf + "}"}},
      {{"sketch", R"({"kind":"simhash_v1","bits":128})"}},
      {{"sketch", R"({"kind":"minhash_v1","lanes":64,"seed":1})"}},
      {{"sketch", R"({"kind":"minhash_v2","lanes":64,"seed":1})"}},
      {{"sketch", R"({"kind":"minhash_v2","lanes":64,"seed":1})"}, {"agree", R"("numbers_v1")"}},
      {{"sketch", R"({"kind":"minhash_v1","lanes":64,"seed":1})"}, {"agree", R"("numbers_v1")"}},
      {{"sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"text"})"}},
      {{"sketch", R"({"kind":"python_simhash_v1","bits":128,"input":"text"})"}},
      {{"sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"tokens"})"}},
  };
  std::set<uint64_t> ids;
  for (const Members& members : all) EXPECT_TRUE(ids.insert(id_of(members)).second) << json(members);
}

TEST(RecipeMembers, EachOfJiebaIsPartOfTheId) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string keywords = R"({"kind":"jieba_keywords_v1","top_k":7})";
  const auto python = [](const char* scale) {
    return std::string(R"({"kind":"python_simhash_v1","bits":64,"input":"keywords","scale":")") + scale + "\"}";
  };
  const std::string jieba = R"("jieba_v1")";
  const std::vector<Members> all = {
      {{"tokenizer", jieba}},
      {{"tokenizer", R"("jieba_full_v1")"}},
      {{"tokenizer", R"("jieba_search_v1")"}},
      {{"tokenizer", jieba}, {"user_words", write("members_words.txt", "\u4E91\u8BA1\u7B97 5\n")}},
      {{"tokenizer", jieba}, {"user_words", write("members_words_2.txt", "\u4E91\u8BA1\u7B97 6\n")}},
      {{"tokenizer", jieba}, {"weighting", keywords}},
      {{"tokenizer", jieba}, {"weighting", keywords}, {"sketch", python("keywords")}},
      {{"tokenizer", jieba}, {"weighting", keywords}, {"sketch", python("characters")}},
  };
  std::set<uint64_t> ids;
  for (const Members& members : all) EXPECT_TRUE(ids.insert(id_of(members)).second) << json(members);
}

TEST(RecipeMembers, DefaultsAndSpellingsAreNot) {
  const uint64_t plain = id_of({});
  EXPECT_EQ(id_of({{"clean", "[]"}}), plain);
  EXPECT_EQ(id_of({{"weighting", R"({"kind":"none"})"}}), plain);
  EXPECT_EQ(id_of({{"line_lists", "[]"}}), plain);
  EXPECT_EQ(id_of({{"clean", R"([{"remove":{"literal":"x"}}])"}}), id_of({{"clean", R"([ {"remove" : "x"} ])"}}));
  // A file counts by what is in it: order, repetitions and its name do not.
  const std::string a = write("members_a.txt", "one\ntwo\n");
  const std::string b = write("members_b.txt", "two\r\n\none\none");
  EXPECT_EQ(id_of({{"stop_words", a}}), id_of({{"stop_words", b}}));
}

TEST(RecipeMembers, WhatIsInstalledMayBeNamedByItsId) {
  const Recipe recipe = Recipe::parse(json({{"stop_words", R"("english_v1")"}, {"han_fold", R"("simplified_v1")"}}), "mine");
  const Recipe again = Recipe::parse(recipe.canonical_json(), "other");
  EXPECT_EQ(again.stop_words, "english_v1");
  EXPECT_EQ(again.id(), recipe.id());
  EXPECT_EQ(error_of({{"stop_words", R"("0123456789abcdef")"}}),
            "recipe 'mine': no built-in list of stop words has the id 0123456789abcdef; name the file");
  EXPECT_TRUE(error_of({{"han_fold", R"("simplified_v1:0123456789abcdef")"}})
                  .starts_with("recipe 'mine' was made for the folding table 0123456789abcdef; here it is "));
}

TEST(RecipeMembers, ADictionaryOfAnotherIdIsRefused) {
  NEARDUP_NEEDS_DICTIONARY();
  EXPECT_TRUE(error_of({{"tokenizer", R"("jieba_v1")"}, {"dictionary", R"("0123456789abcdef")"}})
                  .starts_with("recipe 'mine' was made for the dictionary 0123456789abcdef; here it is "));
}

TEST(RecipeMembers, ErrorsOfOneMember) {
  const auto says = [](const std::string& member, const std::string& value, const std::string& message) {
    EXPECT_EQ(error_of({{member, value}}), "recipe 'mine': " + message);
  };
  const std::string weightings = "one of \"none\", \"tf_v1\", \"tf_idf_v1\", \"jieba_keywords_v1\"";
  says("sketch", R"({"kind":"simhash_v1","bits":96})", "field 'sketch.bits' must be 64 or 128, not 96");
  says("sketch", R"({"kind":"simhash_v1","bits":32})", "field 'sketch.bits' must be 64 or 128, not 32");
  says("sketch", R"({"kind":"simhash_v1"})", "field 'sketch.bits' is missing");
  says("sketch", R"({"kind":"simhash_v1","bits":64,"lanes":1})", "unknown field 'sketch.lanes'");
  says("sketch", R"({"kind":"simhash_v2","bits":64})",
       "field 'sketch.kind' must be one of \"minhash_v1\", \"simhash_v1\", \"python_simhash_v1\", \"minhash_v2\", not \"simhash_v2\"");
  says("sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"words"})",
       "field 'sketch.input' must be one of \"text\", \"tokens\", \"keywords\", not \"words\"");
  says("sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"text","scale":"keywords"})", "unknown field 'sketch.scale'");
  says("sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"keywords"})", "field 'sketch.scale' is missing");
  says("sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"keywords","scale":"ten"})",
       "field 'sketch.scale' must be \"keywords\", \"characters\", \"raw\", or a number from 0.000001 to 1000000000000000, not \"ten\"");
  says("sketch", R"({"kind":"minhash_v2","lanes":0,"seed":1})", "field 'sketch.lanes' must be a whole number from 1 to 4096, not 0");
  says("sketch", R"({"kind":"minhash_v2","lanes":64})", "field 'sketch.seed' is missing");
  says("sketch", R"({"kind":"minhash_v2","lanes":64,"seed":1,"bits":64})", "unknown field 'sketch.bits'");
  says("sketch", "7", "field 'sketch' must be a JSON object, not 7");
  says("weighting", R"({"kind":"bm25"})", "field 'weighting.kind' must be " + weightings + ", not \"bm25\"");
  says("weighting", R"({"kind":"tf_v1","top_k":0})", "field 'weighting.top_k' must be a whole number from 1 to 1000000, not 0");
  says("weighting", R"({"kind":"tf_v1","top_k":1000001})", "field 'weighting.top_k' must be a whole number from 1 to 1000000, not 1000001");
  says("weighting", R"({"kind":"tf_v1","idf":"corpus"})", "unknown field 'weighting.idf'");
  says("weighting", R"({"kind":"tf_idf_v1"})", "field 'weighting.idf' is missing");
  says("weighting", R"({"kind":"tf_idf_v1","idf":""})", "field 'weighting.idf' must be a name or a file, not \"\"");
  says("weighting", R"({"kind":"none","top_k":3})", "field 'weighting.top_k' needs a weighting other than none");
  says("normalizer", R"("nfc_v1")",
       "field 'normalizer' must be one of \"nfkc_casefold_v1\", \"nfkc_lower_v1\", \"lower_compact_v1\", \"none_v1\", not \"nfc_v1\"");
  says("han_fold", R"("traditional_v1")", "field 'han_fold' must be \"simplified_v1\", not \"traditional_v1\"");
  says("han_fold", R"("simplified_v1:12")", "field 'han_fold' must be \"simplified_v1\", not \"simplified_v1:12\"");
  says("han_fold", "true", "field 'han_fold' must be a name or a file, not true");
  says("line_lists", R"("x")", "field 'line_lists' must be an array of files");
  says("line_lists", "[1]", "field 'line_lists' must be an array of files");
  says("feature_hash", R"("md5")", "field 'feature_hash' must be one of \"xxh3_64_v1\", not \"md5\"");
  says("stopwords", R"("english_v1")", "unknown field 'stopwords'");
}

TEST(RecipeMembers, ErrorsOfMembersThatDoNotGoTogether) {
  const auto says = [](const Members& members, const std::string& message) { EXPECT_EQ(error_of(members), "recipe 'mine': " + message); };
  const std::string keywords = R"({"kind":"jieba_keywords_v1"})";
  const std::string pairs = R"({"size":2,"short_text":"none"})";
  const std::string jieba_only = "fields 'dictionary' and 'user_words' require a jieba tokenizer or jieba_keywords_v1";
  says({{"dictionary", R"("x.dict")"}}, jieba_only);
  says({{"user_words", R"("x.txt")"}}, jieba_only);
  says({{"weighting", keywords}}, "jieba_keywords_v1 needs the tokenizer jieba_v1");
  says({{"weighting", keywords}, {"tokenizer", R"("jieba_full_v1")"}}, "jieba_keywords_v1 needs the tokenizer jieba_v1");
  says({{"weighting", keywords}, {"tokenizer", R"("jieba_v1")"}, {"shingle", pairs}},
       "jieba_keywords_v1 weighs words: field 'shingle.size' must be 1");
  says({{"weighting", keywords}, {"tokenizer", R"("jieba_v1")"}, {"stemmer", R"("english")"}},
       "jieba_keywords_v1 cannot be combined with a stemmer");
  says({{"sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"keywords","scale":"keywords"})"}},
       "python_simhash_v1 of keywords needs the weighting jieba_keywords_v1");
  says({{"weighting", R"({"kind":"tf_idf_v1","idf":"corpus"})"}, {"shingle", pairs}},
       "tf_idf_v1 weighs tokens: field 'shingle.size' must be 1");
  says({{"weighting", R"({"kind":"tf_v1"})"}, {"sketch", R"({"kind":"minhash_v1","lanes":8,"seed":1})"}},
       "a MinHash takes features without weights: field 'weighting.kind' must be none");
  says({{"weighting", R"({"kind":"tf_v1"})"}, {"sketch", R"({"kind":"minhash_v2","lanes":8,"seed":1})"}},
       "a MinHash takes features without weights: field 'weighting.kind' must be none");
  says({{"weighting", R"({"kind":"tf_v1"})"}, {"sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"tokens"})"}},
       "python_simhash_v1 takes text, tokens or jieba_keywords_v1");
  Recipe recipe = Recipe::parse(json({}), "mine");
  recipe.idf = "corpus";
  try {
    recipe.check();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "recipe 'mine': field 'weighting.idf' is required by tf_idf_v1, and allowed only there");
  }
}

TEST(RecipeMembers, ErrorsOfFilesAndNames) {
  EXPECT_TRUE(error_of({{"stemmer", R"("klingon")"}}).ends_with("not 'klingon'"));
  EXPECT_TRUE(error_of({{"clean", R"(["tag"])"}}).starts_with("clean[0]: no cleaner is named 'tag'; there are tags_v1"));
  EXPECT_TRUE(error_of({{"clean", R"("tags_v1")"}}).starts_with("clean: expected an array of cleaners, not"));
  EXPECT_NE(error_of({{"stop_words", R"("members_gone.txt")"}}).find("members_gone.txt"), std::string::npos);
  EXPECT_NE(error_of({{"weighting", R"({"kind":"tf_idf_v1","idf":"members_gone.idf"})"}}, ErrorCode::kInput).find("members_gone.idf"),
            std::string::npos);
  const std::string other_tokens = table_file("members_other.idf", 1, R"({"normalizer":"none_v1","tokenizer":"chars_v1"})");
  EXPECT_TRUE(error_of({{"weighting", R"({"kind":"tf_idf_v1","idf":)" + other_tokens + "}"}})
                  .ends_with(R"(was fitted on other tokens: {"normalizer":"none_v1","tokenizer":"chars_v1"}, not )"
                             R"({"normalizer":"none_v1","tokenizer":"words_v1"})"));
  const std::string no_table = write("members_no.idf", "this is not a table");
  EXPECT_NE(error_of({{"weighting", R"({"kind":"tf_idf_v1","idf":)" + no_table + "}"}}, ErrorCode::kInput).find("members_no.idf"),
            std::string::npos);
  EXPECT_NE(
      error_of({{"tokenizer", R"("jieba_v1")"}, {"dictionary", R"("members_gone.dict")"}}, ErrorCode::kInput).find("members_gone.dict"),
      std::string::npos);
}

// As in recipe_test.cc: XXH3-64 of the canonical form, by the implementation in tests/cli/test_recipe_page.py.
TEST(RecipeMembers, PresetIdsNeverChange) {
  EXPECT_EQ(Recipe::load("simhash-words-3").id(), 0xEADD1E2185B85788u);
  EXPECT_EQ(Recipe::load("simhash-chars-3").id(), 0x045A3367A9E982C8u);
  EXPECT_EQ(Recipe::load("simhash-chars-4").id(), 0xBED7777DD6811EF3u);
  EXPECT_EQ(Recipe::load("simhash-words").id(), 0xD15CAF19E15AC775u);
  EXPECT_EQ(Recipe::load("minhash-chars-3").id(), 0xE8DB1E1545189054u);
  EXPECT_EQ(Recipe::load("python-simhash-text").id(), 0x3148F17D19810422u);
  EXPECT_EQ(Recipe::load("code-5").id(), 0x35F750E1B78A9106u);
  EXPECT_EQ(Recipe::load("code-5-renamed").id(), 0x7935339D4CECB2B1u);
  EXPECT_EQ(Recipe::load("record-chars-2").id(), 0x5495005819CEFAACu);
  EXPECT_EQ(Recipe::load("record-words-1").id(), 0x162844BFC16A8534u);
  EXPECT_EQ(Recipe::preset_names().size(), 19u);
}

// With the dictionary out of python3-jieba 0.42.1; another one is another recipe.
TEST(RecipeMembers, IdsOfJiebaPresetsNeverChange) {
  NEARDUP_NEEDS_DICTIONARY();
  ASSERT_EQ(testing::real_dictionary()->id(), 0xE03DAD2845A6A3B3u) << "the dictionary is not that of python3-jieba 0.42.1-3";
  EXPECT_EQ(Recipe::load("simhash-jieba-200").id(), 0x4F91ABA5DC5E1C62u);
  EXPECT_EQ(Recipe::load("simhash-jieba-30").id(), 0x5E2FA29E83AD5141u);
  EXPECT_EQ(Recipe::load("minhash-jieba-3").id(), 0x20D2211A3719BA67u);
  EXPECT_EQ(Recipe::load("python-simhash-tokens").id(), 0xE66F17CF9383264Du);
  EXPECT_EQ(Recipe::load("python-simhash-keywords").id(), 0x9E3BF4A78779143Cu);
}

TEST(RecipeMembers, TheScaleIsANameOrANumber) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto with_scale = [](const std::string& scale) {
    return Members{{"tokenizer", R"("jieba_v1")"},
                   {"weighting", R"({"kind":"jieba_keywords_v1","top_k":200})"},
                   {"sketch", R"({"kind":"python_simhash_v1","bits":64,"input":"keywords","scale":)" + scale + "}"}};
  };
  const auto canonical = [&](const std::string& scale) {
    const std::string text = Recipe::parse(json(with_scale(scale)), "mine").canonical_json();
    EXPECT_EQ(Recipe::parse(text, "again").canonical_json(), text);
    const size_t at = text.find("\"scale\":") + 8;
    return text.substr(at, text.find('}', at) - at);
  };
  EXPECT_EQ(canonical(R"("keywords")"), R"("keywords")");
  EXPECT_EQ(canonical(R"("raw")"), R"("raw")");
  for (const char* same : {"200", "200.0", "2e2", "0.2E3"}) EXPECT_EQ(canonical(same), "200") << same;
  for (const char* text : {"0.1", "0.000001", "7.5", "0.3", "1.005", "1000000000000000", "123456.789012345"})
    EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(canonical("0.10000000000000001"), "0.1");  // of a number 15 digits count
  const std::string expected =
      "recipe 'mine': field 'sketch.scale' must be \"keywords\", \"characters\", \"raw\", or a number from 0.000001 to 1000000000000000, "
      "not ";
  for (const char* wrong : {"0", "-1", "\"200\"", "1e16", "null", "[200]"})
    EXPECT_TRUE(error_of(with_scale(wrong)).starts_with(expected)) << error_of(with_scale(wrong));
}

// Text that another version of Unicode assigns, or classes, in another way makes another sketch; so the version is part of the id, but for
// the one that recipes had before it was.
TEST(RecipeMembers, TheVersionOfUnicodeIsPartOfTheId) {
  const Recipe recipe = Recipe::parse(json({}), "mine");
  const std::string under_15 = canonical_json_under(recipe, "15.0");
  EXPECT_EQ(under_15.find("unicode"), std::string::npos);
  const std::string under_16 = canonical_json_under(recipe, "16.0");
  EXPECT_NE(under_16.find(R"("tokenizer":"words_v1","unicode":"16.0"})"), std::string::npos) << under_16;
  EXPECT_EQ(unicode_of(under_15), "15.0");
  EXPECT_EQ(unicode_of(under_16), "16.0");
  EXPECT_EQ(recipe.canonical_json(), canonical_json_under(recipe, unicode_version()));
}

TEST(RecipeMembers, ARecipeForAnotherUnicodeIsRefused) {
  EXPECT_EQ(error_of({{"unicode", R"("99.0")"}}), "recipe 'mine' was made for Unicode 99.0; this build has Unicode " + unicode_version());
  EXPECT_EQ(id_of({{"unicode", '"' + unicode_version() + '"'}}), id_of({}));
}

}  // namespace
}  // namespace neardup
