// Laws of the segmenter, of user words and of keywords: equal to the slow twin over random dictionaries and texts; safe with any bytes.
#include "text/jieba/jieba_segmenter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "support/jieba.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba_slow_twin.h"
#include "text/tokens/token_buffer.h"

namespace neardup {
namespace {

using testing::SlowJieba;

// Few characters, so that random words overlap; some of no block, some that only the HMM knows, some that nothing knows.
const std::u32string kCharacters = U"\u4E00\u4E01\u4E02\u4E03\u4E04\u9FD5aZ9.%-\u9FD6\u3002 \r\n\U00020000";
constexpr size_t kWordCharacters = 12;

std::u32string random_text(size_t longest, size_t alphabet) {
  std::u32string text;
  for (int n = *rc::gen::inRange(1, static_cast<int>(longest) + 1); n > 0; --n) {
    text += kCharacters[static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(alphabet)))];
  }
  return text;
}

jieba::Sources random_sources() {
  jieba::Sources sources;
  sources.words.push_back({"\u4E00", 5});
  for (int n = *rc::gen::inRange(1, 40); n > 0; --n) {
    sources.words.push_back({SlowJieba::encode(random_text(6, kWordCharacters)), static_cast<uint64_t>(*rc::gen::inRange(0, 9))});
  }
  for (int n = *rc::gen::inRange(1, 20); n > 0; --n) {
    sources.idf.push_back({SlowJieba::encode(random_text(4, kWordCharacters)), 0.1 * *rc::gen::inRange(1, 90)});
  }
  sources.stop_words = {SlowJieba::encode(random_text(3, kWordCharacters)), "az"};
  sources.hmm.emplace();
  const auto number = [] { return -0.25 * *rc::gen::inRange(1, 12); };
  sources.hmm->start = {number(), jieba::kNever, jieba::kNever, number()};
  for (auto& row : sources.hmm->transition) row = {number(), number(), number(), number()};
  for (char32_t c = 0x4E00; c < 0x4E04; ++c) {
    auto& row = sources.hmm->emission[c];
    for (double& value : row) value = *rc::gen::inRange(0, 5) == 0 ? jieba::kNever : number();
  }
  return sources;
}

std::vector<std::string> encoded(const SlowJieba::Tokens& tokens) {
  std::vector<std::string> out;
  for (const auto& token : tokens) out.push_back(SlowJieba::encode(token));
  return out;
}

// A block longer than `longest` characters is processed separately, with little memory.
std::vector<std::string> fast(const JiebaDictionary& dictionary, JiebaMode mode, std::string_view text,
                              size_t longest = jieba::Lattice::kLongestBlock) {
  static std::map<size_t, JiebaScratch> scratches;  // used again and again, as a thread does
  const auto [found, is_new] = scratches.try_emplace(longest);
  JiebaScratch& scratch = found->second;
  if (is_new) scratch.lattice = jieba::Lattice(longest);
  std::vector<std::string> tokens;
  for (const JiebaToken token : JiebaSegmenter(dictionary, mode).segment(text, scratch)) tokens.emplace_back(scratch.view(token));
  return tokens;
}

void expect_same(const JiebaDictionary& dictionary, const SlowJieba& slow, const std::u32string& text) {
  const std::string bytes = SlowJieba::encode(text);
  for (const size_t longest : {jieba::Lattice::kLongestBlock, size_t{1}, size_t{9}}) {
    RC_ASSERT(fast(dictionary, JiebaMode::kAccurate, bytes, longest) == encoded(slow.cut(text, true)));
    RC_ASSERT(fast(dictionary, JiebaMode::kAccurateNoHmm, bytes, longest) == encoded(slow.cut(text, false)));
    RC_ASSERT(fast(dictionary, JiebaMode::kFull, bytes, longest) == encoded(slow.cut_all(text)));
    RC_ASSERT(fast(dictionary, JiebaMode::kSearch, bytes, longest) == encoded(slow.cut_for_search(text, true)));
    RC_ASSERT(fast(dictionary, JiebaMode::kSearchNoHmm, bytes, longest) == encoded(slow.cut_for_search(text, false)));
  }
}

RC_GTEST_PROP(JiebaSegmenter, is_the_slow_twin_in_all_modes, ()) {
  const jieba::Sources sources = random_sources();
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "random");
  const SlowJieba slow(sources);
  for (int n = 0; n < 5; ++n) expect_same(dictionary, slow, random_text(120, kCharacters.size()));
  expect_same(dictionary, slow, random_text(60, 5));
}

RC_GTEST_PROP(JiebaSegmenter, user_words_are_the_slow_twin, ()) {
  const jieba::Sources sources = random_sources();
  const JiebaDictionary base = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "random");
  SlowJieba slow(sources);
  UserWords words(base);
  for (int n = *rc::gen::inRange(1, 60); n > 0; --n) {
    const std::u32string word = random_text(7, kCharacters.size());
    const auto count = static_cast<uint64_t>(*rc::gen::inRange(0, 30));
    words.add(SlowJieba::encode(word), count);
    slow.add_user(word, count);
  }
  const JiebaDictionary dictionary = words.build();
  for (int n = 0; n < 5; ++n) expect_same(dictionary, slow, random_text(120, kCharacters.size()));
}

RC_GTEST_PROP(JiebaKeywords, are_those_of_the_slow_twin, ()) {
  const jieba::Sources sources = random_sources();
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "random");
  const SlowJieba slow(sources);
  const JiebaKeywordExtractor extractor(dictionary);
  JiebaKeywordScratch scratch;
  for (int n = 0; n < 5; ++n) {
    scratch.segmenter.lattice = jieba::Lattice(n % 2 == 0 ? jieba::Lattice::kLongestBlock : 1);
    const std::u32string text = random_text(300, kCharacters.size());
    const auto top = static_cast<size_t>(*rc::gen::inRange(0, 12));
    std::vector<std::pair<std::string, double>> ours;
    const std::string bytes = SlowJieba::encode(text);
    for (const JiebaKeyword& keyword : extractor.extract(bytes, top, scratch)) ours.emplace_back(keyword.word, keyword.weight);
    RC_ASSERT(ours == slow.tags(text, top));
  }
}

// Any bytes read as their repaired form, and the tokens of the accurate mode are the text, cut.
RC_GTEST_PROP(JiebaSegmenter, any_bytes, (const std::string& bytes)) {
  NEARDUP_NEEDS_DICTIONARY();
  const JiebaDictionary& dictionary = *testing::real_dictionary();
  std::string repaired;
  repair_utf8(bytes, repaired);
  for (const JiebaMode mode : {JiebaMode::kAccurate, JiebaMode::kAccurateNoHmm, JiebaMode::kFull, JiebaMode::kSearch}) {
    const std::vector<std::string> tokens = fast(dictionary, mode, bytes);
    RC_ASSERT(tokens == fast(dictionary, mode, repaired));
    RC_ASSERT(tokens == fast(dictionary, mode, bytes, 1));
    if (mode != JiebaMode::kAccurate) continue;
    std::string joined;
    for (const std::string& token : tokens) joined += token;
    RC_ASSERT(joined == repaired);
  }
}

TEST(JiebaSegmenter, long_blocks_and_long_gaps) {
  NEARDUP_NEEDS_DICTIONARY();
  const JiebaDictionary& dictionary = *testing::real_dictionary();
  for (const char* unit : {"\u7684", "\u9F98", "a", "-", "\u3002", " ", "\u4E2D\u56FD", "\U0001F600"}) {
    // The first two are one block of a million characters.
    const bool longest = unit[0] == 'a' || std::string_view(unit) == "\u7684";
    std::string text;
    for (size_t i = 0; i < (longest ? 1'000'000 : 60'000); ++i) text += unit;
    for (const JiebaMode mode : {JiebaMode::kAccurate, JiebaMode::kAccurateNoHmm, JiebaMode::kFull, JiebaMode::kSearch}) {
      JiebaScratch scratch;
      const auto tokens = JiebaSegmenter(dictionary, mode).segment(text, scratch);
      ASSERT_FALSE(tokens.empty());
      EXPECT_EQ(tokens.back().end, text.size()) << unit;
    }
  }
}

TEST(JiebaSegmenter, tokens_in_a_buffer) {
  NEARDUP_NEEDS_DICTIONARY();
  JiebaScratch scratch;
  TokenBuffer buffer;
  buffer.clear(0);
  buffer.append("old");
  JiebaSegmenter(*testing::real_dictionary(), JiebaMode::kAccurate)
      .tokenize(
          "\u5317\u4EAC\xFF"
          "C++",
          scratch, buffer);
  EXPECT_EQ(view_of(buffer.joined), "\u5317\u4EAC \uFFFD C++");
  EXPECT_EQ(buffer.starts, (RawVector<uint32_t>{0, 7, 11, 15}));
}

TEST(JiebaSegmenter, a_dictionary_without_hmm_cuts_without_hmm) {
  const jieba::Sources sources{.words = {{"\u4E00\u4E01", 3}}, .idf = {}, .stop_words = {}, .hmm = std::nullopt, .tag_hmm = std::nullopt};
  const JiebaDictionary dictionary = JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "small");
  EXPECT_EQ(fast(dictionary, JiebaMode::kAccurateNoHmm, "\u4E00\u4E01\u4E02"), (std::vector<std::string>{"\u4E00\u4E01", "\u4E02"}));
  EXPECT_THROW(JiebaSegmenter(dictionary, JiebaMode::kAccurate), Error);
  EXPECT_THROW(JiebaKeywordExtractor{dictionary}, Error);
}

}  // namespace
}  // namespace neardup
