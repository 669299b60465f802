// The words of the most frequent tokens, at the end of the file of a table of document frequencies: the table itself has only hashes.
//
// They are for people: no weight depends on them, and the id of the table does not cover them. All numbers little-endian; docs/weights.md
// has the section to the byte:
//
//   header     magic "neardupW", version, entries
//   entries    XXH3-64 of the token, length, bytes; most frequent first
//   checksum   XXH3-64 of the section before
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct FrequencyWord {
  uint64_t hash = 0;
  std::string word;
};

inline constexpr size_t kMaxFrequencyWords = 1000;
inline constexpr size_t kMaxFrequencyWordBytes = 255;

/// Empty if there are no words. Requires hashes that are those of the words; leaves out longer words than kMaxFrequencyWordBytes.
std::string frequency_words_section(const std::vector<FrequencyWord>& words);

/// The inverse; nothing from an empty section. Throws Error{kInput} that names the file if it is not such a section, or damaged.
std::vector<FrequencyWord> read_frequency_words(std::string_view section, const std::string& name);

}  // namespace neardup
