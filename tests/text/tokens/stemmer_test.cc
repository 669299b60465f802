#include "text/tokens/stemmer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "neardup/error.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

// Plain or gzip; by lines.
std::vector<std::string> lines_of(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string text;
  char buffer[1 << 16];
  for (int count = 0; file && (count = gzread(file.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(count));
  std::vector<std::string> lines;
  for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

std::filesystem::path one_of(const std::filesystem::path& folder, const char* stem) {
  const auto plain = folder / (std::string(stem) + ".txt");
  return std::filesystem::exists(plain) ? plain : folder / (std::string(stem) + ".txt.gz");
}

// The sample vocabularies that the Snowball project publishes with the stems that each must have.
TEST(Stemmer, SnowballVocabularies) {
  const std::filesystem::path folder = "/usr/share/snowball/data";
  ASSERT_TRUE(std::filesystem::exists(folder)) << "install the package snowball-data (scripts/setup.sh test)";
  size_t languages = 0;
  for (const std::string& language : Stemmer::languages()) {
    if (!std::filesystem::exists(folder / language)) continue;
    const auto words = lines_of(one_of(folder / language, "voc"));
    const auto stems = lines_of(one_of(folder / language, "output"));
    ASSERT_EQ(words.size(), stems.size()) << language;
    const Stemmer stemmer(language);
    Stemmer::Scratch scratch(stemmer);
    size_t wrong = 0;
    for (size_t i = 0; i < words.size(); i += testing::unless_sanitized(1, 10)) {
      const std::string& expected = stems[i].empty() ? words[i] : stems[i];  // our rule: no token vanishes
      if (stemmer.stem(words[i], scratch) == expected) continue;
      if (++wrong <= 3)
        ADD_FAILURE() << language << ": " << words[i] << " gives " << stemmer.stem(words[i], scratch) << ", not " << expected;
    }
    EXPECT_EQ(wrong, 0u) << language << " of " << words.size();
    ++languages;
  }
  EXPECT_GE(languages, 25u);
}

// From the pages of the Snowball project on the English, German and French stemmers.
TEST(Stemmer, SomeWords) {
  const auto stem = [](const char* language, const char* word) {
    const Stemmer stemmer(language);
    Stemmer::Scratch scratch(stemmer);
    return std::string(stemmer.stem(word, scratch));
  };
  EXPECT_EQ(stem("english", "consignment"), "consign");
  EXPECT_EQ(stem("english", "consistency"), "consist");
  EXPECT_EQ(stem("english", "knights"), "knight");
  EXPECT_EQ(stem("english", "generously"), "generous");
  EXPECT_EQ(stem("porter", "generously"), "gener");
  EXPECT_EQ(stem("german", "aufeinanderfolgenden"), "aufeinanderfolg");
  EXPECT_EQ(stem("french", "continuellement"), "continuel");
  EXPECT_EQ(stem("english", "中文"), "中文");
  EXPECT_EQ(stem("english", ""), "");
}

TEST(Stemmer, UnknownLanguagesNameTheKnown) {
  try {
    const Stemmer stemmer("klingon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string_view(error.what()).find("dutch, english, finnish"), std::string_view::npos);
    EXPECT_NE(std::string_view(error.what()).find("not 'klingon'"), std::string_view::npos);
  }
  EXPECT_THROW(Stemmer("en"), Error) << "one spelling only";
  EXPECT_THROW(Stemmer(""), Error);
}

TEST(Stemmer, NonWordsAreUnchanged) {
  const Stemmer stemmer("english");
  Stemmer::Scratch scratch(stemmer);
  EXPECT_EQ(stemmer.stem("\xFFrunning", scratch), "\xFFrunning");
  const std::string longest = std::string(248, 'x') + "running";
  EXPECT_EQ(stemmer.stem(longest, scratch), std::string(248, 'x') + "run");
  EXPECT_EQ(stemmer.stem("x" + longest, scratch), "x" + longest);
}

// Any bytes, and every word again and again so that the memory answers.
RC_GTEST_PROP(StemmerLaw, remembered_is_stemmed_anew, ()) {
  const auto languages = Stemmer::languages();
  const Stemmer stemmer(languages[*rc::gen::inRange<size_t>(0, languages.size())]);
  Stemmer::Scratch scratch(stemmer);
  Stemmer::Scratch other(stemmer);
  const auto syllable =
      rc::gen::element<std::string>("run", "n", "ing", "ed", "ly", "é", "ß", "ов", "ами", "ational", "\xC3", "i", "的", "a");
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::map(rc::gen::container<std::vector<std::string>>(syllable), [](const std::vector<std::string>& parts) {
        std::string word;
        for (const std::string& part : parts) word += part;
        return word;
      }));
  for (int round = 0; round < 2; ++round) {
    for (const std::string& word : words) {
      const std::string stem(stemmer.stem(word, scratch));
      RC_ASSERT(stem == stemmer.stem_uncached(word, other));
      RC_ASSERT(stem.empty() == word.empty());
    }
  }
}

TEST(Stemmer, ThreadsShareOne) {
  const Stemmer stemmer("english");
  std::vector<std::thread> threads;
  std::vector<size_t> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      Stemmer::Scratch scratch(stemmer);
      for (int i = 0; i < 20'000; ++i) {
        const std::string root = "w" + std::string(static_cast<size_t>(i % 7 + 2), 'o') + std::to_string(i % 999) + "t";
        wrong[t] += stemmer.stem(root + "ing", scratch) != root;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const size_t count : wrong) EXPECT_EQ(count, 0u);
}

}  // namespace
}  // namespace neardup
