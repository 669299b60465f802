// Any bytes through the jieba segmenter, over a small dictionary of the bytes' own characters: the tokens of the accurate mode are the
// text, cut; the ranges of all modes are inside; the repaired text gives the same tokens.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/utf8/utf8.h"

namespace {

using neardup::JiebaDictionary;
using neardup::JiebaMode;
using neardup::fuzz::require;

// Words that overlap, with equal frequencies, ASCII, prefixes that are not words, and an HMM that knows some of the characters.
const JiebaDictionary& dictionary() {
  static const JiebaDictionary made = [] {
    neardup::jieba::Sources sources;
    sources.words = {{"\u4E2D\u56FD", 5},
                     {"\u4E2D\u56FD\u4EBA\u6C11", 3},
                     {"\u56FD\u4EBA", 5},
                     {"\u4EBA\u6C11", 5},
                     {"\u4E2D", 9},
                     {"\u4EBA", 0},
                     {"T\u6064", 2},
                     {"C++", 2},
                     {"ab", 2},
                     {"ab1", 2},
                     {"\u6C11\u7684\u4E2D", 4},
                     {"\u7684", 50}};
    sources.idf = {{"\u4E2D\u56FD", 3.5}, {"\u56FD\u6C11", 7}};
    sources.stop_words = {"the"};
    sources.hmm.emplace();
    sources.hmm->start = {-0.3, neardup::jieba::kNever, neardup::jieba::kNever, -1.4};
    sources.hmm->transition = {
        {{-3e100, -0.5, -0.9, -3e100}, {-0.6, -3e100, -3e100, -0.8}, {-3e100, -0.3, -1.2, -3e100}, {-0.7, -3e100, -3e100, -0.7}}};
    for (char32_t c = 0x4E00; c < 0x4F00; ++c) sources.hmm->emission[c] = {-1.0 - c % 7, -1.0 - c % 5, -1.0 - c % 11, -1.0 - c % 3};
    return JiebaDictionary::from_bytes(neardup::jieba::build_dictionary(sources), "fuzz");
  }();
  return made;
}

std::vector<std::string> cut(JiebaMode mode, std::string_view text) {
  neardup::JiebaScratch scratch;
  std::vector<std::string> tokens;
  for (const neardup::JiebaToken token : neardup::JiebaSegmenter(dictionary(), mode).segment(text, scratch)) {
    require(token.begin <= token.end && token.end <= scratch.text.size() + scratch.glued.size());
    tokens.emplace_back(scratch.view(token));
  }
  return tokens;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string repaired;
  neardup::repair_utf8(text, repaired);
  for (const JiebaMode mode :
       {JiebaMode::kAccurate, JiebaMode::kAccurateNoHmm, JiebaMode::kFull, JiebaMode::kSearch, JiebaMode::kSearchNoHmm}) {
    const std::vector<std::string> tokens = cut(mode, text);
    require(tokens == cut(mode, repaired));
    if (mode != JiebaMode::kAccurate && mode != JiebaMode::kAccurateNoHmm) continue;
    std::string joined;
    for (const std::string& token : tokens) joined += token;
    require(joined == repaired);
  }
  static const neardup::JiebaKeywordExtractor extractor(dictionary());
  neardup::JiebaKeywordScratch scratch;
  const size_t all = extractor.extract(text, 0, scratch).size();
  require(extractor.extract(text, 3, scratch).size() == std::min<size_t>(all, 3));
  return 0;
}
