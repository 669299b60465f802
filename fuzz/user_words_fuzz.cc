// Any bytes as a file of user words over a small dictionary: an Error that names the file, or a dictionary with which the accurate modes
// cut every text into pieces of that text, and in which each word that can occur has the frequency that the file gave it last.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz_support.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/dictionary/jieba_sources.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/utf8/utf8.h"

namespace {

using namespace neardup;
using fuzz::require;

constexpr const char* kFile = "fuzz.dict";

const JiebaDictionary& base() {
  static const JiebaDictionary made = [] {
    jieba::Sources sources;
    sources.words = {{"\u4E2D\u56FD", 5}, {"\u4E2D\u56FD\u4EBA\u6C11", 3}, {"\u56FD\u4EBA", 5}, {"\u4E2D", 9}, {"C++", 2}, {"ab", 2}};
    sources.hmm.emplace();
    return JiebaDictionary::from_bytes(jieba::build_dictionary(sources), "fuzz");
  }();
  return made;
}

void cut(const JiebaDictionary& dictionary, JiebaMode mode, std::string_view text) {
  JiebaScratch scratch;
  std::string joined;
  for (const JiebaToken token : JiebaSegmenter(dictionary, mode).segment(text, scratch)) joined += scratch.view(token);
  std::string repaired;
  repair_utf8(text, repaired);
  require(joined == repaired);
}

// Words are looked up within blocks only: one with another character is never found, and the dictionary omits it.
bool can_occur(std::string_view word) {
  for (size_t at = 0; at < word.size();) {
    const Decoded decoded = decode_utf8(word, at);
    if (!JiebaDictionary::is_block(decoded.code_point)) return false;
    at += decoded.length;
  }
  return !word.empty();
}

// A frequency that the file leaves out is suggested from the words so far, so only the explicit ones are known from the file alone.
std::map<std::string, std::optional<uint64_t>, std::less<>> last_frequencies(std::string_view text) {
  std::map<std::string, std::optional<uint64_t>, std::less<>> last;
  for (const jieba::UserLine& line : jieba::parse_user_words(text, kFile)) last[std::string(line.word)] = line.frequency;
  return last;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  UserWords words(base());
  try {
    words.load_text(text, kFile);
  } catch (const Error& error) {
    fuzz::require_one_line(error);
    return 0;
  }
  require(words.total() >= base().tables().total);
  const JiebaDictionary dictionary = words.build();
  for (const auto& [word, frequency] : last_frequencies(text)) {
    if (frequency && can_occur(word)) require(dictionary.frequency(word) == *frequency);
  }
  for (const JiebaMode mode : {JiebaMode::kAccurate, JiebaMode::kAccurateNoHmm}) cut(dictionary, mode, text);
  JiebaScratch scratch;
  (void)JiebaSegmenter(dictionary, JiebaMode::kFull).segment(text, scratch);
  (void)JiebaSegmenter(dictionary, JiebaMode::kSearch).segment(text, scratch);
  return 0;
}
