// Parts of speech: every record of the golden file, equal to the slow twin over random dictionaries and texts, safe with any bytes.
#include "text/jieba/jieba_posseg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <simdjson.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "support/allowed_skips.h"
#include "support/golden_records.h"
#include "support/jieba.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba_slow_posseg.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using testing::SlowPosseg;
using Tagged = SlowPosseg::Tagged;

Tagged tag_all(const JiebaTagger& tagger, std::string_view text, size_t longest_block = jieba::Lattice::kLongestBlock) {
  JiebaTagScratch scratch;
  scratch.lattice = jieba::Lattice(longest_block);
  Tagged out;
  for (const JiebaTaggedWord& word : tagger.tag(text, scratch)) out.emplace_back(scratch.view(word), tagger.tags()[word.tag]);
  return out;
}

Tagged pairs_of(simdjson::dom::element array) {
  Tagged list;
  const simdjson::dom::array elements = array.get_array().value();
  for (const auto each : elements) list.emplace_back(each.at(0).get_string().value(), each.at(1).get_string().value());
  return list;
}

TEST(JiebaTagger, the_golden_file) {
  NEARDUP_NEEDS_DICTIONARY();
  const auto path = testing::golden_file("posseg-golden.jsonl");
  NEARDUP_NEEDS_SHARED(path);
  const JiebaTagger with_hmm(*testing::real_dictionary(), true);
  const JiebaTagger without_hmm(*testing::real_dictionary(), false);
  const JiebaKeywordExtractor extractor(*testing::real_dictionary(),
                                        {.idf_file = {}, .stop_words_file = {}, .tags = {"n", "v", "ns", "nr", "vn"}});
  JiebaKeywordScratch scratch;
  const size_t records = testing::for_each_golden_record(path, [&](simdjson::dom::element record) {
    const std::string text(record["text"].get_string().value());
    for (const size_t longest : {jieba::Lattice::kLongestBlock, size_t{1}}) {
      EXPECT_EQ(tag_all(with_hmm, text, longest), pairs_of(record["posseg"])) << text;
      EXPECT_EQ(tag_all(without_hmm, text, longest), pairs_of(record["posseg_nohmm"])) << text;
    }
    std::vector<std::pair<std::string, double>> keywords;
    for (const JiebaKeyword& keyword : extractor.extract(text, 20, scratch)) keywords.emplace_back(keyword.word, keyword.weight);
    std::vector<std::pair<std::string, double>> expected;
    for (const auto& [word, weight] : pairs_of(record["tags_n_v"])) expected.emplace_back(word, std::stod(weight));
    EXPECT_EQ(keywords, expected) << text;
  });
  EXPECT_EQ(records, 423u);
}

// Tags printed by the Python package jieba 0.42.1.
TEST(JiebaTagger, sentences) {
  NEARDUP_NEEDS_DICTIONARY();
  const JiebaTagger with_hmm(*testing::real_dictionary());
  const JiebaTagger without_hmm(*testing::real_dictionary(), false);
  EXPECT_EQ(tag_all(with_hmm, "小明昨天在图书馆借了三本书。"), (Tagged{{"小明", "nr"},
                                                                       {"昨天", "t"},
                                                                       {"在", "p"},
                                                                       {"图书馆", "n"},
                                                                       {"借", "v"},
                                                                       {"了", "ul"},
                                                                       {"三", "m"},
                                                                       {"本书", "r"},
                                                                       {"。", "x"}}));
  EXPECT_EQ(tag_all(with_hmm, "李雪健来了\r\n"), (Tagged{{"李雪健", "nr"}, {"来", "v"}, {"了", "ul"}, {"\r\n", "x"}}));
  EXPECT_EQ(tag_all(with_hmm, "饕餮龘龘a我1.a#"),
            (Tagged{{"饕餮", "n"}, {"龘", "x"}, {"龘", "zg"}, {"a", "eng"}, {"我", "r"}, {"1.", "m"}, {"a", "eng"}, {"#", "x"}}));
  EXPECT_EQ(tag_all(with_hmm, "涨2.5%，A1-b"),
            (Tagged{{"涨", "n"}, {"2.5", "m"}, {"%", "x"}, {"，", "x"}, {"A1", "eng"}, {"-", "x"}, {"b", "x"}}));
  EXPECT_EQ(
      tag_all(without_hmm, "涨2.5%，A1-b"),
      (Tagged{{"涨", "v"}, {"2", "eng"}, {".", "x"}, {"5", "eng"}, {"%", "x"}, {"，", "x"}, {"A1", "eng"}, {"-", "x"}, {"b", "eng"}}));
  EXPECT_EQ(tag_all(with_hmm, ""), Tagged());
}

// Few characters, so that words overlap; some that no state lists, some of no block.
const std::u32string kTagCharacters = U"\u4E00\u4E01\u4E02\u4E03\u4E04\u4E05aZ9.%-#+\u3002 \r\n";
constexpr size_t kTagWordCharacters = 13;

std::u32string random_tag_text(size_t longest, size_t alphabet) {
  std::u32string text;
  for (int n = *rc::gen::inRange(1, static_cast<int>(longest) + 1); n > 0; --n) {
    text += kTagCharacters[static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(alphabet)))];
  }
  return text;
}

// Few different numbers, so that ties are frequent; any state may follow any other.
jieba::TagHmm random_tag_hmm() {
  const auto number = [] { return *rc::gen::inRange(0, 6) == 0 ? jieba::kNever : -0.25 * *rc::gen::inRange(1, 5); };
  const auto one_in = [](int n) { return *rc::gen::inRange(0, n) == 0; };
  const std::vector<std::string> tags{"n", "v", "nr", "x", "zz"};
  jieba::TagHmm hmm;
  for (const char letter : std::string("BEMS")) {
    for (const std::string& tag : tags) {
      if (!one_in(3)) hmm.states[{letter, tag}].start = number();
    }
  }
  hmm.states[{'S', "n"}].start = number();
  std::vector<jieba::TagState> states;
  for (const auto& [state, values] : hmm.states) states.push_back(state);
  for (auto& [state, values] : hmm.states) {
    if (one_in(4)) continue;
    for (const jieba::TagState& to : states) {
      if (one_in(3)) values.transitions[to] = number();
    }
    for (char32_t c = 0x4E00; c < 0x4E05; ++c) {
      if (one_in(2)) values.emissions[c] = number();
      if (c != 0x4E03 && one_in(3)) hmm.listed[c].insert(state);
    }
  }
  return hmm;
}

jieba::Sources random_tag_sources() {
  jieba::Sources sources;
  sources.hmm.emplace();
  sources.tag_hmm = random_tag_hmm();
  sources.words.push_back({"\u4E00", 5, "n"});
  const std::vector<std::string> tags{"n", "uj", "a", "", "x"};
  for (int n = *rc::gen::inRange(1, 15); n > 0; --n) {
    sources.words.push_back({SlowPosseg::encode(random_tag_text(4, kTagWordCharacters)), static_cast<uint64_t>(*rc::gen::inRange(0, 9)),
                             tags[static_cast<size_t>(*rc::gen::inRange(0, 5))]});
  }
  return sources;
}

void expect_twin(const JiebaDictionary& dictionary, const SlowPosseg& slow, const std::u32string& text) {
  const std::string bytes = SlowPosseg::encode(text);
  for (const bool hmm : {true, false}) {
    const Tagged expected = slow.cut(text, hmm);
    const JiebaTagger tagger(dictionary, hmm);
    for (const size_t longest : {jieba::Lattice::kLongestBlock, size_t{1}, size_t{7}}) {
      RC_ASSERT(tag_all(tagger, bytes, longest) == expected);
    }
  }
}

RC_GTEST_PROP(JiebaTagger, is_the_slow_twin, ()) {
  const jieba::Sources sources = random_tag_sources();
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "random");
  const SlowPosseg slow(sources);
  for (int n = 0; n < 4; ++n) expect_twin(dictionary, slow, random_tag_text(60, kTagCharacters.size()));
  expect_twin(dictionary, slow, random_tag_text(40, 6));
}

RC_GTEST_PROP(JiebaTagger, user_words_with_tags_are_the_slow_twin, ()) {
  const jieba::Sources sources = random_tag_sources();
  const JiebaDictionary base = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "random");
  SlowPosseg slow(sources);
  UserWords words(base);
  const std::vector<std::string> tags{"n", "own", "other", ""};
  for (int n = *rc::gen::inRange(1, 20); n > 0; --n) {
    const std::u32string word = random_tag_text(4, kTagWordCharacters);
    const auto count = static_cast<uint64_t>(*rc::gen::inRange(0, 30));
    const std::string& tag = tags[static_cast<size_t>(*rc::gen::inRange(0, 4))];
    words.add(SlowPosseg::encode(word), count, tag);
    slow.add_user(word, count);
    if (!tag.empty()) slow.set_tag(word, tag);
  }
  const JiebaDictionary dictionary = words.build();
  for (int n = 0; n < 3; ++n) expect_twin(dictionary, slow, random_tag_text(60, kTagCharacters.size()));
}

RC_GTEST_PROP(TagViterbi, segments_do_not_change_the_path, ()) {
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(random_tag_sources()), "random");
  const jieba::TagTables& tables = dictionary.tables().tags;
  std::vector<uint16_t> codes;
  for (int n = *rc::gen::inRange(1, 40); n > 0; --n)
    codes.push_back(dictionary.code_of(static_cast<char32_t>(*rc::gen::inRange(0x4E00, 0x4E06))));
  jieba::TagViterbi::Scratch scratch;
  const jieba::TagViterbi whole(tables);
  const auto path = whole.find(codes, scratch);
  const std::vector<uint8_t> expected(path.begin(), path.end());
  for (const size_t segment : {1, 2, 3, 8}) {
    const auto found = jieba::TagViterbi(tables, segment).find(codes, scratch);
    RC_ASSERT(std::vector<uint8_t>(found.begin(), found.end()) == expected);
  }
}

RC_GTEST_PROP(JiebaTagger, any_bytes, (const std::string& bytes)) {
  NEARDUP_NEEDS_DICTIONARY();
  const JiebaTagger tagger(*testing::real_dictionary());
  std::string repaired;
  repair_utf8(bytes, repaired);
  std::string joined;
  for (const auto& [word, tag] : tag_all(tagger, bytes)) joined += word;
  RC_ASSERT(joined == repaired);
}

TEST(JiebaTagger, a_dictionary_without_tags_says_so) {
  jieba::Sources sources;
  sources.words = {{"\u4E2D\u56FD", 5, "ns"}};
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "plain");
  EXPECT_FALSE(dictionary.has_tags());
  try {
    const JiebaTagger tagger(dictionary);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("the dictionary has no parts of speech: build it with --pos"));
  }
}

}  // namespace
}  // namespace neardup
