// Any bytes as a dictionary file, and with their hashes put right as a forged one, and as the text files that one is made from: an
// Error, or something that can be used.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba/jieba_dictionary.h"
#include "text/jieba/jieba_dictionary_build.h"
#include "text/jieba/jieba_segmenter.h"

namespace {

constexpr size_t kTable = 32;
constexpr size_t kRow = 40;
constexpr size_t kSections = 11;

template <typename Action>
void tolerate(Action action) {
  try {
    action();
  } catch (const neardup::Error&) {
  }
}

void use(std::string bytes) {
  tolerate([&] {
    const neardup::JiebaDictionary dictionary = neardup::JiebaDictionary::from_bytes(std::move(bytes), "fuzz");
    neardup::JiebaScratch scratch;
    constexpr std::string_view kText = "\u4E2D\u56FD\u4EBA\u6C11\u7684C++ T\u6064 1.5%\u3002";
    neardup::JiebaSegmenter(dictionary, neardup::JiebaMode::kFull).segment(kText, scratch);
    neardup::JiebaSegmenter(dictionary, neardup::JiebaMode::kAccurateNoHmm).segment(kText, scratch);
    if (dictionary.has_hmm()) neardup::JiebaSegmenter(dictionary, neardup::JiebaMode::kSearch).segment(kText, scratch);
  });
}

// Bytes of the input over a good file, then all hashes made right.
std::string forged(std::string_view edits) {
  static const std::string good = [] {
    neardup::jieba::Sources sources;
    sources.words = {{"\u4E2D\u56FD", 5}, {"\u4E2D\u56FD\u4EBA", 3}, {"C++", 2}};
    sources.idf = {{"\u4E2D\u56FD", 3.5}};
    sources.hmm.emplace();
    return neardup::jieba::build_dictionary(sources);
  }();
  std::string bytes = good;
  for (size_t i = 0; i + 5 <= edits.size(); i += 5) {
    uint32_t at = 0;
    std::memcpy(&at, edits.data() + i, 4);
    bytes[kTable + at % (bytes.size() - kTable)] = edits[i + 4];
  }
  const auto number = [&](size_t at) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, 8);
    return value;
  };
  const auto put = [&](size_t at, uint64_t value) { std::memcpy(bytes.data() + at, &value, 8); };
  for (size_t i = 0; i < kSections; ++i) {
    const uint64_t offset = number(kTable + i * kRow + 16);
    const uint64_t size = number(kTable + i * kRow + 24);
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    put(kTable + i * kRow + 32, neardup::hash64(std::string_view(bytes).substr(offset, size)));
  }
  put(24, neardup::hash64(std::string_view(bytes).substr(kTable, kSections * kRow)));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  use(std::string(input));
  use(forged(input));
  tolerate([&] { neardup::jieba::parse_words(input, "fuzz"); });
  tolerate([&] { neardup::jieba::parse_idf(input, "fuzz"); });
  tolerate([&] { neardup::jieba::parse_user_words(input, "fuzz"); });
  tolerate([&] { neardup::jieba::parse_stop_words(input, "fuzz"); });
  return 0;
}
