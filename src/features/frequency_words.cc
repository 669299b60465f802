#include "features/frequency_words.h"

#include <fmt/format.h>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::string_view kWordsMagic = "neardupW";
constexpr uint32_t kWordsVersion = 1;
constexpr size_t kWordsHeaderBytes = 16;

[[noreturn]] void fail_words(const std::string& name, std::string_view problem, std::string_view part = "words") {
  throw Error(ErrorCode::kInput, fmt::format("'{}' is not a usable table of document frequencies: {}: {}", name, part, problem));
}

}  // namespace

std::string frequency_words_section(const std::vector<FrequencyWord>& words) {
  std::string entries;
  ByteWriter to(entries);
  uint32_t count = 0;
  for (const FrequencyWord& entry : words) {
    if (entry.word.size() > kMaxFrequencyWordBytes) continue;
    to.value(entry.hash);
    to.value(static_cast<uint32_t>(entry.word.size()));
    entries += entry.word;
    ++count;
  }
  if (count == 0) return {};
  std::string section(kWordsMagic);
  ByteWriter whole(section);
  whole.value(kWordsVersion);
  whole.value(count);
  section += entries;
  whole.value(hash64(section));
  return section;
}

std::vector<FrequencyWord> read_frequency_words(std::string_view section, const std::string& name) {
  if (section.empty()) return {};
  if (!section.starts_with(kWordsMagic) || section.size() < kWordsHeaderBytes + sizeof(uint64_t)) {
    fail_words(name, fmt::format("{} bytes follow where the file should end", section.size()), "checksum");
  }
  const std::string_view body = section.substr(0, section.size() - sizeof(uint64_t));
  ByteReader sum(section.substr(body.size()), name);
  if (sum.value<uint64_t>() != hash64(body)) fail_words(name, "the checksum is wrong: they are truncated or damaged");
  ByteReader from(body.substr(kWordsMagic.size()), name);
  if (const auto version = from.value<uint32_t>(); version != kWordsVersion) {
    fail_words(name, fmt::format("version {}, this program knows {}", version, kWordsVersion));
  }
  const auto count = from.value<uint32_t>();
  if (count > kMaxFrequencyWords) fail_words(name, fmt::format("{} entries, at most {} are allowed", count, kMaxFrequencyWords));
  std::vector<FrequencyWord> words(count);
  for (FrequencyWord& entry : words) {
    entry.hash = from.value<uint64_t>();
    const auto bytes = from.value<uint32_t>();
    if (bytes > kMaxFrequencyWordBytes) {
      fail_words(name, fmt::format("a word of {} bytes, at most {} are allowed", bytes, kMaxFrequencyWordBytes));
    }
    entry.word.resize(bytes);
    for (char& byte : entry.word) byte = from.value<char>();
    if (hash64(entry.word) != entry.hash) fail_words(name, "a word is not that of its hash");
  }
  from.end();
  return words;
}

}  // namespace neardup
