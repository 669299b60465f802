// The public class Jieba against outputs of the Python package: words that change one after another, places of tokens; threads; errors.
#include "neardup/jieba.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
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

std::string temporary_path(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / ("jieba." + name + "." + std::to_string(getpid()))).string();
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
  EXPECT_EQ(other.frequency(""), std::nullopt);
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

TEST(Jieba, words_in_place_are_those_of_the_copying_functions) {
  NEARDUP_NEEDS_DICTIONARY();
  const Jieba jieba;
  const std::vector<std::string_view> texts{"小明昨天在北京大学的C++图书馆", "", "ABT恤，。x\r\n 中国人民", "北京\xE4\xB8大学\xFF"};
  for (const bool hmm : {true, false}) {
    std::vector<Words> found;
    const auto take = [&](size_t i, std::span<const std::string_view> words) {
      EXPECT_EQ(i, found.size());
      found.emplace_back(words.begin(), words.end());
    };
    jieba.cut_each(texts, Jieba::CutMode::kDefault, hmm, take);
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(found[i], jieba.cut(texts[i], hmm));
    found.clear();
    jieba.cut_each(texts, Jieba::CutMode::kSearch, hmm, take);
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(found[i], jieba.cut_for_search(texts[i], hmm));
    found.clear();
    jieba.cut_each(texts, Jieba::CutMode::kAll, hmm, take);
    EXPECT_EQ(found.size(), texts.size());
    EXPECT_THAT(found[2], ElementsAre("ABT恤", "，。", "x", "", "\r\n", "", " ", "", "中国", "国人", "人民"));
  }
}

TEST(Jieba, a_call_has_the_words_of_its_beginning) {
  NEARDUP_NEEDS_DICTIONARY();
  Jieba jieba;
  EXPECT_FALSE(jieba.ready());
  const std::vector<std::string_view> texts(3, "北京大学");
  jieba.cut_each(texts, Jieba::CutMode::kDefault, true, [&](size_t, std::span<const std::string_view> words) {
    EXPECT_THAT(words, ElementsAre("北京大学"));
    jieba.del_word("北京大学");
    EXPECT_FALSE(jieba.ready());
    EXPECT_THAT(jieba.cut("北京大学"), ElementsAre("北京", "大学"));
    EXPECT_TRUE(jieba.ready());
  });
  EXPECT_THAT(jieba.cut("北京大学"), ElementsAre("北京", "大学"));
}

TEST(Jieba, threads_cut_while_another_changes_words) {
  NEARDUP_NEEDS_DICTIONARY();
  Jieba jieba;
  const JiebaKeywords keywords;
  const std::string text = "孩子在湖边放风筝";
  std::atomic<bool> done = false;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        while (!done) {
          std::string joined;
          for (const std::string& word : jieba.cut(text)) joined += word;
          EXPECT_EQ(joined, text);
          EXPECT_FALSE(keywords.extract_tags(jieba, text).empty());
          EXPECT_EQ(jieba.posseg_cut(text).front().word, "孩子");
        }
      });
    }
    for (int i = 0; i < 5; ++i) {
      jieba.add_word("在湖边放风筝");
      EXPECT_THAT(jieba.cut(text), ElementsAre("孩子", "在湖边放风筝"));
      jieba.del_word("在湖边放风筝");
      EXPECT_EQ(jieba.frequency("在湖边放风筝"), 0u);
    }
    done = true;
  }
}

TEST(Jieba, words_of_another_dictionary) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string path = temporary_path("words");
  const auto write = [&](std::string_view lines) { std::ofstream(path, std::ios::binary) << lines; };
  write("北京 30 ns\n大学 60\n北京大学 2 nt\n学生 70 n\n北京 31 ns\n新词儿 8 zz\n");
  Jieba jieba = Jieba::with_words(path);
  EXPECT_EQ(jieba.total(), 201u);
  EXPECT_EQ(jieba.frequency("北京"), 31u);
  EXPECT_EQ(jieba.frequency("北京大"), 0u);
  EXPECT_EQ(jieba.frequency("生活"), std::nullopt);
  EXPECT_THAT(jieba.cut("北京大学生活", false), ElementsAre("北京", "大学", "生", "活"));  // of the package
  EXPECT_THAT(lines_of_tagged(jieba.posseg_cut("新词儿北京大学", false)),
              ElementsAre("新词儿 zz", "北京 ns", "大学 n"));  // the last tag is that of the usual dictionary
  // The IDF table stays, also for words that it has and the file has not.
  const JiebaKeywords keywords;
  const Jieba usual;
  for (const std::string_view word : {"北京", "学生", "新词儿", "图书馆", "没有这个词"}) {
    EXPECT_EQ(keywords.idf(jieba, word), keywords.idf(usual, word)) << word;
  }
  jieba.add_word("大学生活");
  EXPECT_THAT(jieba.cut("北京大学生活", false), ElementsAre("北京", "大学生活"));
  Jieba moved = std::move(jieba);
  EXPECT_THAT(moved.cut("北京大学生活", false), ElementsAre("北京", "大学生活"));

  write("北京 x\n");
  EXPECT_THROW((void)Jieba::with_words(path), Error);
  EXPECT_THROW((void)Jieba::with_words(path + ".none"), Error);
  std::filesystem::remove(path);
}

TEST(JiebaKeywords, settings) {
  NEARDUP_NEEDS_DICTIONARY();
  const std::string path = temporary_path("idf");
  std::ofstream(path, std::ios::binary) << "图书馆 8\n小明 2\n昨天 4\n";
  Jieba jieba;
  const std::string text = "小明昨天在图书馆，小明the";
  const auto names = [](const std::vector<Jieba::Keyword>& keywords) {
    Words list;
    for (const Jieba::Keyword& keyword : keywords) list.push_back(keyword.word);
    return list;
  };
  JiebaKeywords keywords;
  EXPECT_EQ(names(keywords.extract_tags(jieba, text)), names(jieba.extract_tags(text)));
  EXPECT_THAT(jieba.stop_words(), ::testing::Contains("the"));
  keywords.set_idf_path(path);
  EXPECT_EQ(keywords.idf(jieba, "图书馆"), 8);
  EXPECT_EQ(keywords.idf(jieba, "北京"), 4) << "the median";
  EXPECT_THAT(names(keywords.extract_tags(jieba, text)), ElementsAre("图书馆", "小明", "昨天"));
  keywords.set_stop_words(Words{"小明"});
  EXPECT_THAT(names(keywords.extract_tags(jieba, text)), ElementsAre("图书馆", "昨天", "the"));
  EXPECT_THAT(names(keywords.extract_tags(jieba, text, 1)), ElementsAre("图书馆"));
  EXPECT_THAT(names(keywords.extract_tags(jieba, text, 0, Words{"t", "none"})), ElementsAre("昨天"));
  EXPECT_THAT(names(keywords.extract_tags(jieba, text, 0, Words{"none"})), ElementsAre());
  for (int i = 0; i < 10; ++i)
    EXPECT_THAT(names(keywords.extract_tags(jieba, text, 0, Words{"t", std::to_string(i)})), ElementsAre("昨天"));
  jieba.add_word("昨天在图书馆", std::nullopt, "t");
  EXPECT_THAT(names(keywords.extract_tags(jieba, text, 0, Words{"t"})), ElementsAre("昨天在图书馆"));
  EXPECT_THROW(keywords.set_idf_path(path + ".none"), Error);
  std::filesystem::remove(path);
  EXPECT_EQ(keywords.idf(jieba, "图书馆"), 8) << "the file was read when it was named";
  const JiebaKeywords moved = std::move(keywords);
  EXPECT_EQ(moved.idf(jieba, "图书馆"), 8);
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
