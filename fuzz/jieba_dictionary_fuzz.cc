// Any bytes as a dictionary file, and with their hashes put right as a forged one, and as the text files that one is made from: an
// Error, or something that can be used.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_dictionary_build.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"

namespace {

constexpr size_t kTable = 32;
constexpr size_t kRow = 40;
constexpr size_t kSections = 11;
constexpr size_t kTagHeader = 24;
constexpr size_t kTagSections = 8;

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
    if (!dictionary.has_tags()) return;
    neardup::JiebaTagScratch tags;
    neardup::JiebaTagger(dictionary).tag(kText, tags);
  });
}

// Bytes of the input over a good file, then all hashes made right.
std::string forged(std::string_view edits) {
  static const std::string good = [] {
    neardup::jieba::Sources sources;
    sources.words = {{"\u4E2D\u56FD", 5}, {"\u4E2D\u56FD\u4EBA", 3}, {"C++", 2}};
    sources.idf = {{"\u4E2D\u56FD", 3.5}};
    sources.hmm.emplace();
    sources.tag_hmm.emplace();
    auto& states = sources.tag_hmm->states;
    states[{'B', "n"}] = {.start = -1, .transitions = {{{'E', "n"}, -0.5}}, .emissions = {{0x4EBA, -2}}};
    states[{'E', "n"}] = {.start = -2, .transitions = {{{'B', "n"}, -0.5}}, .emissions = {{0x6C11, -3}}};
    sources.tag_hmm->listed[0x4EBA] = {{'B', "n"}};
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
  const auto put_hashes = [&](size_t id, size_t table, size_t sections) {
    for (size_t i = 0; i < sections; ++i) {
      const uint64_t offset = number(table + i * kRow + 16);
      const uint64_t size = number(table + i * kRow + 24);
      if (offset > bytes.size() || size > bytes.size() - offset) continue;
      put(table + i * kRow + 32, neardup::hash64(std::string_view(bytes).substr(offset, size)));
    }
    put(id, neardup::hash64(std::string_view(bytes).substr(table, sections * kRow)));
  };
  static const size_t tags = good.find("NDTAGS\n\n");
  put_hashes(tags + 16, tags + kTagHeader, kTagSections);
  put_hashes(24, kTable, kSections);
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
