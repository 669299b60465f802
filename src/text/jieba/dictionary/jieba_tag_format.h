// The part of a dictionary file that has parts of speech: the tags of words, and the HMM of jieba.posseg (docs/dictionary.md).
//
// It follows the words at the next multiple of 64: a header of its own (magic, version, sections, id), a table of sections, the sections.
// Everything is checked when the file is opened, as the words are (jieba_format.h), and trusted afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/jieba/dictionary/jieba_sections.h"

namespace neardup::jieba {

inline constexpr uint32_t kTagFormatVersion = 1;
inline constexpr size_t kMaxTags = 0xFFFF;
inline constexpr size_t kMaxTagStates = 256;
inline constexpr uint16_t kListed = 0x8000;  ///< in a cell: the state is listed in char_state_tab for this character
inline constexpr double kNoTransition = -std::numeric_limits<double>::infinity();

/// The tags that posseg itself gives. They are the first ones of every dictionary.
enum FixedTag : uint16_t { kTagX, kTagM, kTagEng, kFixedTags };

/// A state of the HMM is a position in a word (0 to 3: B, E, M, S) and a tag.
constexpr uint32_t make_tag_state(uint32_t letter, uint16_t tag) noexcept {
  return letter << 16 | tag;
}

/// The arrays. Owns nothing.
struct TagTables {
  std::string_view names;                 ///< one a line: x, m, eng, then the others by their bytes
  std::span<const uint16_t> word_tags;    ///< slot -> tag; x for words without a tag
  std::span<const uint32_t> states;       ///< sorted by letter, then by the name of the tag: of equal values the later state wins
  std::span<const double> start;          ///< by state
  std::span<const double> transitions;    ///< [to * states + from]
  std::span<const uint32_t> rows;         ///< code -> its first cell; one more
  std::span<const uint16_t> cell_states;  ///< ascending within a row
  std::span<const double> cell_values;    ///< emissions

  [[nodiscard]] bool empty() const noexcept { return names.empty(); }
};

/// The names, split.
std::vector<std::string_view> split_tags(std::string_view names);

/// Appends the part to the file of a dictionary.
void append_tags(const TagTables& tables, std::string& file);
/// Checks and reads the part that follows the words, which end at `bytes[words_end]`. Throws Error{kInput}.
TagTables parse_tags(std::string_view bytes, const std::string& file, size_t words_end, size_t slots, size_t codes);
/// Of a file that parse_tags() accepted.
std::vector<SectionInfo> list_tag_sections(std::string_view bytes, const std::string& file, size_t words_end);

}  // namespace neardup::jieba
