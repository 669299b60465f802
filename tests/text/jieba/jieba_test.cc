// The public class Jieba against outputs of the Python package: words that change one after another, places of tokens; threads; errors.
#include "neardup/jieba.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <array>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "support/allowed_skips.h"
#include "support/golden_records.h"
#include "support/jieba.h"
#include "support/project_files.h"

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;
using Mode = Jieba::TokenizeMode;

Words words_of(simdjson::dom::element array) {
  Words list;
  const simdjson::dom::array elements = array.get_array().value();
  for (const auto each : elements) list.emplace_back(each.get_string().value());
  return list;
}

// Lines "word begin end" or "word tag".
Words lines_of_lists(simdjson::dom::element array) {
  Words list;
  const simdjson::dom::array elements = array.get_array().value();
  for (const auto each : elements) {
    std::string line;
    const simdjson::dom::array parts = each.get_array().value();
    for (const auto part : parts) {
      if (!line.empty()) line += ' ';
      line += part.is_string() ? std::string(part.get_string().value()) : std::to_string(part.get_uint64().value());
    }
    list.push_back(std::move(line));
  }
  return list;
}

Words lines_of_tokens(const std::vector<Jieba::Token>& tokens) {
  Words list;
  for (const Jieba::Token& token : tokens) list.push_back(token.word + ' ' + std::to_string(token.begin) + ' ' + std::to_string(token.end));
  return list;
}

Words lines_of_tagged(const std::vector<Jieba::TaggedWord>& words) {
  Words list;
  for (const Jieba::TaggedWord& word : words) list.push_back(word.word + ' ' + word.tag);
  return list;
}

// Makes the change of one step, and returns what suggest_freq() returned.
std::optional<uint64_t> apply_step(Jieba& jieba, simdjson::dom::element step) {
  const std::string call(step["call"].get_string().value());
  const simdjson::dom::array arguments = step["arguments"].get_array().value();
  if (call == "suggest_freq") {
    const Words pieces = words_of(arguments.at(0).value());
    const bool tune = arguments.at(1).get_bool().value();
    if (pieces.size() == 1) return jieba.suggest_freq(pieces.front(), tune);
    return jieba.suggest_freq(std::vector<std::string_view>(pieces.begin(), pieces.end()), tune);
  }
  const std::string word(arguments.at(0).get_string().value());
  if (call == "del_word") {
    jieba.del_word(word);
  } else {
    const auto frequency = arguments.at(1).value();
    const auto tag = arguments.at(2).value();
    jieba.add_word(word, frequency.is_null() ? std::nullopt : std::optional(frequency.get_uint64().value()),
                   tag.is_null() ? std::string_view() : tag.get_string().value());
  }
  return std::nullopt;
}

TEST(Jieba, changes_one_after_another) {
  NEARDUP_NEEDS_DICTIONARY();
  size_t steps = 0;
  testing::for_each_golden_record(testing::project_file("tests/text/jieba_changes.jsonl"), [&](simdjson::dom::element scenario) {
    Jieba jieba;
    const simdjson::dom::array list = scenario["steps"].get_array().value();
    for (const auto step : list) {
      SCOPED_TRACE(simdjson::minify(step["arguments"]));
      ++steps;
      const std::optional<uint64_t> returned = apply_step(jieba, step);
      if (returned) {
        EXPECT_EQ(*returned, step["returns"].get_uint64().value());
      }
      EXPECT_EQ(jieba.total(), step["total"].get_uint64().value());
      const simdjson::dom::array results = step["results"].get_array().value();
      for (const auto result : results) {
        const std::string text(result["text"].get_string().value());
        EXPECT_EQ(jieba.cut(text), words_of(result["cut"])) << text;
        EXPECT_EQ(jieba.cut(text, false), words_of(result["cut_nohmm"])) << text;
        EXPECT_EQ(jieba.cut_all(text), words_of(result["cut_all"])) << text;
        EXPECT_EQ(lines_of_tokens(jieba.tokenize(text, Mode::kSearch)), lines_of_lists(result["tokenize_search"])) << text;
        EXPECT_EQ(lines_of_tagged(jieba.posseg_cut(text)), lines_of_lists(result["posseg"])) << text;
      }
    }
  });
  EXPECT_EQ(steps, 54u);
}

TEST(Jieba, places_and_tags_of_the_golden_file) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("posseg-golden.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  const Jieba jieba;
  const size_t records = testing::for_each_golden_record(path, [&](simdjson::dom::element record) {
    const std::string text(record["text"].get_string().value());
    EXPECT_EQ(lines_of_tokens(jieba.tokenize(text)), lines_of_lists(record["tokenize"])) << text;
    const std::vector<Jieba::Token> tokens = jieba.tokenize(text, Mode::kSearch);
    EXPECT_EQ(lines_of_tokens(tokens), lines_of_lists(record["tokenize_search"])) << text;
    for (const Jieba::Token& token : tokens) EXPECT_EQ(text.substr(token.begin_byte, token.end_byte - token.begin_byte), token.word);
    EXPECT_EQ(lines_of_tagged(jieba.posseg_cut(text)), lines_of_lists(record["posseg"])) << text;
    EXPECT_EQ(lines_of_tagged(jieba.posseg_cut(text, false)), lines_of_lists(record["posseg_nohmm"])) << text;
    const Words allowed{"n", "v", "ns", "nr", "vn"};
    Words keywords;
    for (const Jieba::Keyword& keyword : jieba.extract_tags(text, 20, allowed)) keywords.push_back(keyword.word);
    Words expected;
    const simdjson::dom::array tags = record["tags_n_v"].get_array().value();
    for (const auto tag : tags) expected.emplace_back(tag.at(0).get_string().value());
    EXPECT_EQ(keywords, expected) << text;
  });
  EXPECT_EQ(records, 423u);
}

TEST(Jieba, places_in_malformed_text_are_those_of_its_bytes) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string text =
      "北京\xE4\xB8"
      "大学\xFF";
  const std::vector<Jieba::Token> tokens = Jieba().tokenize(text);
  EXPECT_THAT(lines_of_tokens(tokens), ElementsAre("北京 0 2", "\xEF\xBF\xBD 2 3", "大学 3 5", "\xEF\xBF\xBD 5 6"));
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(std::pair(tokens[1].begin_byte, tokens[1].end_byte), std::pair(size_t{6}, size_t{8}));
  EXPECT_EQ(std::pair(tokens[2].begin_byte, tokens[2].end_byte), std::pair(size_t{8}, size_t{14}));
  EXPECT_EQ(tokens[3].end_byte, text.size());
}

TEST(Jieba, objects_do_not_share_their_words) {
  NEARDUP_NEEDS_DICTIONARY();
  Jieba changed;
  const Jieba other;
  changed.del_word("北京大学");
  EXPECT_EQ(changed.frequency("北京大学"), 0u);
  EXPECT_THAT(changed.cut("北京大学"), ElementsAre("北京", "大学"));
  EXPECT_THAT(other.cut("北京大学"), ElementsAre("北京大学"));
  EXPECT_EQ(other.frequency("没有这个词"), std::nullopt);
  Jieba moved = std::move(changed);
  EXPECT_THAT(moved.cut("北京大学"), ElementsAre("北京", "大学"));
  moved.add_word("北京大学");
  EXPECT_THAT(moved.cut("北京大学"), ElementsAre("北京大学"));
}

TEST(Jieba, threads_share_an_object_that_was_just_changed) {
  NEARDUP_NEEDS_DICTIONARY();
  Jieba jieba;
  jieba.add_word("在湖边放风筝");
  std::array<Words, 4> found;
  {
    std::vector<std::jthread> threads;
    for (Words& words : found) {
      threads.emplace_back([&jieba, &words] {
        for (int i = 0; i < 20; ++i) words = jieba.cut("孩子在湖边放风筝");
      });
    }
  }
  for (const Words& words : found) EXPECT_THAT(words, ElementsAre("孩子", "在湖边放风筝"));
}

TEST(Jieba, errors_leave_the_words_as_they_were) {
  NEARDUP_NEEDS_DICTIONARY();
  Jieba jieba;
  const uint64_t total = jieba.total();
  const auto message = [&](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message([&] { jieba.add_word("\xFF"); }), HasSubstr("is not UTF-8"));
  EXPECT_THAT(message([&] { jieba.add_word("词", uint64_t{1} << 53); }), HasSubstr("sum to more than 9007199254740991"));
  EXPECT_THAT(message([&] { jieba.add_word(std::string(300, 'a')); }), HasSubstr("at most 255 characters, this one has 300"));
  EXPECT_THAT(message([&] { jieba.load_userdict("no such file"); }), HasSubstr("no such file"));
  EXPECT_THAT(message([&] { (void)jieba.extract_tags("北京", 5, Words{"none"}); }), HasSubstr("no part of speech 'none'"));
  EXPECT_THAT(message([] { const Jieba missing("no.dict"); }), HasSubstr("no.dict"));
  EXPECT_EQ(jieba.total(), total);
  EXPECT_THAT(jieba.cut("北京大学"), ElementsAre("北京大学"));
}

}  // namespace
}  // namespace neardup
