#include "features/frequency_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "neardup/error.h"

namespace neardup {
namespace {

FrequencyWord word_with_hash(const std::string& word) {
  return {hash64(word), word};
}

TEST(FrequencyWords, AreReadAsTheyWereWritten) {
  const std::vector<FrequencyWord> words{word_with_hash("rose"), word_with_hash("玫瑰"), word_with_hash(std::string("\t\0", 2))};
  const std::vector<FrequencyWord> read = read_frequency_words(frequency_words_section(words), "t.idf");
  ASSERT_EQ(read.size(), words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(read[i].hash, words[i].hash);
    EXPECT_EQ(read[i].word, words[i].word);
  }
}

TEST(FrequencyWords, NoneTakeNoBytes) {
  EXPECT_EQ(frequency_words_section({}), "");
  EXPECT_TRUE(read_frequency_words("", "t.idf").empty());
}

TEST(FrequencyWords, LongWordsAreLeftOut) {
  const std::vector<FrequencyWord> words{word_with_hash(std::string(255, 'a')), word_with_hash(std::string(256, 'b')), word_with_hash("c")};
  const std::vector<FrequencyWord> read = read_frequency_words(frequency_words_section(words), "t.idf");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].word, "c");
  EXPECT_EQ(frequency_words_section({words[1]}), "");
}

TEST(FrequencyWords, EveryDamageIsAnErrorThatNamesTheFile) {
  const std::string good = frequency_words_section({word_with_hash("rose"), word_with_hash("玫瑰")});
  const auto complaint = [](const std::string& section) -> std::string {
    try {
      static_cast<void>(read_frequency_words(section, "t.idf"));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
    return "";
  };
  for (size_t size = 1; size < good.size(); ++size) EXPECT_NE(complaint(good.substr(0, size)).find("t.idf"), std::string::npos) << size;
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 0x20;
    EXPECT_NE(complaint(bad).find("t.idf"), std::string::npos) << at;
  }
}

}  // namespace
}  // namespace neardup
