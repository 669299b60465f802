#include "text/tokens/stop_words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/normalize/normalizer.h"
#include "text/tokens/tokenizer.h"

namespace neardup {
namespace {

std::string problem_of(std::string_view bytes) {
  try {
    static_cast<void>(StopWords::parse(bytes, "list.txt"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "none";
}

RC_GTEST_PROP(StopWordsLaw, contains_is_that_of_a_set, (const std::vector<std::string>& words, const std::vector<std::string>& others)) {
  std::set<std::string> expected(words.begin(), words.end());
  expected.erase("");
  const StopWords stop_words(words);
  RC_ASSERT(stop_words.words() == std::vector<std::string>(expected.begin(), expected.end()));
  for (const std::string& word : words) RC_ASSERT(stop_words.contains(word) == !word.empty());
  for (const std::string& word : others) RC_ASSERT(stop_words.contains(word) == expected.contains(word));
}

TEST(StopWords, EmptySetContainsNothing) {
  EXPECT_FALSE(StopWords().contains(""));
  EXPECT_FALSE(StopWords().contains("a"));
  EXPECT_EQ(StopWords().id(), 0x2d06800538d394c2u);  // XXH3-64 of nothing
}

TEST(StopWords, FilesAreTrimmedLines) {
  const StopWords words = StopWords::parse("\xEF\xBB\xBF的\r\n\u3000 of course \t\n\n  \nand\n的\nlast", "list.txt");
  EXPECT_EQ(words.words(), (std::vector<std::string>{"and", "last", "of course", "的"}));
  EXPECT_EQ(words.canonical_bytes(), "and\nlast\nof course\n的\n");
  EXPECT_EQ(words.id(), hash64("and\nlast\nof course\n的\n"));
  EXPECT_EQ(StopWords::parse("", "list.txt").size(), 0u);
}

TEST(StopWords, ErrorsNameTheLine) {
  EXPECT_EQ(problem_of("a\nb\xFF\nc"), "list.txt:2: the stop word is not valid UTF-8");
  EXPECT_EQ(problem_of(std::string(255, 'x')), "none");
  EXPECT_EQ(problem_of("\n\n" + std::string(256, 'x') + "\n"),
            "list.txt:3: the stop word has 256 bytes, at most 255 are allowed: one word a line");
}

TEST(StopWords, LoadingNamesAndFiles) {
  try {
    static_cast<void>(StopWords::load("no such list"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_EQ(std::string_view(error.what()),
              "'no such list' is not a list of stop words: it is none of english_v1, chinese_v1, and as a file: No such file or "
              "directory");
  }
  const auto path = std::filesystem::temp_directory_path() / "neardup_stop_words_test.txt";
  std::ofstream(path) << "one\ntwo\n";
  EXPECT_EQ(StopWords::load(path).words(), (std::vector<std::string>{"one", "two"}));
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(StopWords::load(std::filesystem::temp_directory_path())), Error);
}

// What the ids of recipes rest on: a list never changes. The ids were computed in Python from docs/recipe.md's definition of XXH3.
TEST(StopWords, BuiltInListsStayAsTheyAre) {
  const auto facts = [](const char* name) {
    const StopWords words = StopWords::load(name);
    return std::pair(words.size(), words.id());
  };
  EXPECT_EQ(facts("english_v1").first, 213u);
  EXPECT_EQ(facts("english_v1").second, 0x5e9bf077237b6b4eu);
  EXPECT_EQ(facts("chinese_v1").first, 248u);
  EXPECT_EQ(facts("chinese_v1").second, 0x5bbed1319cbdb20fu);
}

TEST(StopWords, BuiltInListsAreWrittenAsTokensAre) {
  for (const std::string_view name : StopWords::built_in_names()) {
    const StopWords words = StopWords::load(std::string(name));
    for (const NormalizerKind kind : {NormalizerKind::kCasefold, NormalizerKind::kLower}) {
      EXPECT_EQ(words.images_of(*make_normalizer(kind)).words(), words.words()) << name;
    }
    if (name == "chinese_v1") continue;  // words of several ideographs are for a segmenter
    for (const std::string& word : words.words()) {
      TokenBuffer tokens;
      make_tokenizer(TokenizerKind::kWords)->tokenize(word, tokens);
      EXPECT_EQ(tokens.size(), 1u) << word;
    }
  }
}

TEST(StopWords, ImagesAreNormalizedWords) {
  const StopWords words({"The", "ＡＮＤ", "the", "\u00AD"});
  EXPECT_EQ(words.images_of(*make_normalizer(NormalizerKind::kCasefold)).words(), (std::vector<std::string>{"and", "the"}));
}

}  // namespace
}  // namespace neardup
