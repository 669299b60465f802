// Every record of the golden files: outputs of the Python package jieba 0.42.1 (make_jieba_golden.py next to them).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "support/allowed_skips.h"
#include "support/golden_records.h"
#include "support/jieba.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_segmenter.h"

namespace neardup {
namespace {

std::vector<std::string> cut(const JiebaDictionary& dictionary, JiebaMode mode, std::string_view text,
                             size_t longest_block = jieba::Lattice::kLongestBlock) {
  JiebaScratch scratch;
  scratch.lattice = jieba::Lattice(longest_block);
  std::vector<std::string> tokens;
  for (const JiebaToken token : JiebaSegmenter(dictionary, mode).segment(text, scratch)) tokens.emplace_back(scratch.view(token));
  return tokens;
}

std::vector<std::string> strings(simdjson::dom::element array) {
  std::vector<std::string> list;
  const simdjson::dom::array elements = array.get_array().value();
  for (const auto each : elements) list.emplace_back(each.get_string().value());
  return list;
}

TEST(JiebaGolden, all_modes) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("jieba-golden.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  const JiebaDictionary& dictionary = *testing::real_dictionary();
  const size_t records = testing::for_each_golden_record(path, [&](simdjson::dom::element record) {
    const std::string text(record["text"].get_string().value());
    for (const auto& [field, mode] : {std::pair{"cut", JiebaMode::kAccurate},
                                      {"cut_nohmm", JiebaMode::kAccurateNoHmm},
                                      {"cut_all", JiebaMode::kFull},
                                      {"search", JiebaMode::kSearch},
                                      {"search_nohmm", JiebaMode::kSearchNoHmm}}) {
      const std::vector<std::string> expected = strings(record[field]);
      EXPECT_EQ(cut(dictionary, mode, text), expected) << field << ": " << text;
      EXPECT_EQ(cut(dictionary, mode, text, 1), expected) << field << ", as long blocks: " << text;
    }
  });
  EXPECT_EQ(records, 423u);
}

TEST(JiebaGolden, keywords_and_the_last_bit_of_their_weights) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("jieba-golden.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  const JiebaKeywordExtractor extractor(*testing::real_dictionary());
  JiebaKeywordScratch scratch;
  size_t keywords = 0;
  testing::for_each_golden_record(path, [&](simdjson::dom::element record) {
    const std::string text(record["text"].get_string().value());
    for (const auto& [field, top] : {std::pair{"tags20", size_t{20}}, {"tags200", size_t{200}}}) {
      std::vector<std::pair<std::string, double>> ours;
      for (const JiebaKeyword& keyword : extractor.extract(text, top, scratch)) ours.emplace_back(keyword.word, keyword.weight);
      std::vector<std::pair<std::string, double>> theirs;
      const simdjson::dom::array tags = record[field].get_array().value();
      for (const auto tag : tags) theirs.emplace_back(tag.at(0).get_string().value(), tag.at(1).get_double().value());
      EXPECT_EQ(ours, theirs) << field << ": " << text;
      keywords += ours.size();
    }
  });
  EXPECT_GT(keywords, 3000u);
}

void apply(UserWords& words, simdjson::dom::element step) {
  const simdjson::dom::array op = step["op"].get_array().value();
  const std::string name(op.at(0).get_string().value());
  std::optional<uint64_t> returned;
  if (name == "add_word") {
    const bool has_frequency = op.size() > 2;
    words.add(op.at(1).get_string().value(), has_frequency ? std::optional(op.at(2).get_uint64().value()) : std::nullopt);
  } else if (name == "del_word") {
    words.remove(op.at(1).get_string().value());
  } else if (name == "suggest_freq" && op.at(1).is_string()) {
    returned = words.suggest(op.at(1).get_string().value(), op.at(2).get_bool().value());
  } else if (name == "suggest_freq") {
    const std::vector<std::string> pieces = strings(op.at(1).value());
    returned = words.suggest(std::vector<std::string_view>(pieces.begin(), pieces.end()), op.at(2).get_bool().value());
  } else {
    ASSERT_EQ(name, "load_userdict");
    std::string text;
    for (const std::string& line : strings(op.at(1).value())) text += line;
    words.load_text(text, "user.txt");
  }
  EXPECT_EQ(words.total(), step["total"].get_uint64().value()) << name;
  if (returned) {
    EXPECT_EQ(*returned, step["returns"].get_uint64().value()) << name;
  }
}

TEST(JiebaGolden, user_words) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("jieba-golden-userdict.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  const size_t scenarios = testing::for_each_golden_record(path, [](simdjson::dom::element scenario) {
    SCOPED_TRACE(std::string(scenario["name"].get_string().value()));
    UserWords words(*testing::real_dictionary());
    const simdjson::dom::array steps = scenario["ops"].get_array().value();
    for (const auto step : steps) apply(words, step);
    const JiebaDictionary dictionary = words.build();
    const simdjson::dom::array results = scenario["results"].get_array().value();
    for (const auto result : results) {
      const std::string text(result["text"].get_string().value());
      for (const auto& [field, mode] : {std::pair{"cut", JiebaMode::kAccurate},
                                        {"cut_nohmm", JiebaMode::kAccurateNoHmm},
                                        {"cut_all", JiebaMode::kFull},
                                        {"search", JiebaMode::kSearch}}) {
        EXPECT_EQ(cut(dictionary, mode, text), strings(result[field])) << field << ": " << text;
      }
    }
  });
  EXPECT_EQ(scenarios, 15u);
}

}  // namespace
}  // namespace neardup
