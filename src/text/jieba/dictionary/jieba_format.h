// The file of a jieba dictionary (docs/dictionary.md): a header, a table of sections, the sections. Little-endian.
//
// Everything is checked when a file is opened, and trusted afterwards: the hash of every section (a flipped bit or a missing end is an
// Error that names file and section), the bounds of every index, the shape of the trie, and that every number is finite. In return hot
// loops need no checks, and even a forged file with valid hashes cannot cause reads out of bounds.
//
// The words are a trie: a double array of 64-bit slots over dense character codes. A slot is base << 40 | value << 16 | label. The child of
// a node by the code c is the slot base + c, if its label is c: no two nodes have the same base, so the label alone says whose child it is.
// Two bases are special: the root's is 0, and 1 is the base of every node without children (and of no other), so that a step from there
// fails without a check. An empty slot has the label kEmptyLabel, which is not a code. Code 0 is "no character of a block": no slot has
// that label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/jieba/dictionary/jieba_sections.h"
#include "text/jieba/dictionary/jieba_tag_format.h"

namespace neardup::jieba {

using Slot = uint64_t;

inline constexpr uint32_t kRootBase = 0;
inline constexpr uint32_t kNoChildren = 1;
inline constexpr uint16_t kEmptyLabel = 0xFFFF;
inline constexpr uint32_t kMaxCode = 0xFFFE;
inline constexpr uint32_t kMaxBase = 0xFF'FFFF;
inline constexpr uint32_t kMaxValue = 0xFF'FFFF;

// The meanings of a node's value. Other values are the numbers of the different frequencies of words.
inline constexpr uint32_t kNotAKey = 0;     ///< known to the IDF table only: no key of jieba's FREQ
inline constexpr uint32_t kPrefixOnly = 1;  ///< a key of FREQ with the frequency 0
inline constexpr uint32_t kFirstWord = 2;   ///< from here on: a word

constexpr Slot make_slot(uint32_t base, uint32_t value, uint16_t label) noexcept {
  return Slot{base} << 40 | Slot{value} << 16 | label;
}
constexpr uint16_t label_of(Slot slot) noexcept {
  return static_cast<uint16_t>(slot);
}
constexpr uint32_t value_of(Slot slot) noexcept {
  return static_cast<uint32_t>(slot >> 16) & kMaxValue;
}
constexpr uint32_t base_of(Slot slot) noexcept {
  return static_cast<uint32_t>(slot >> 40);
}
/// The node of the characters from `codes[begin]` to before `codes[end]`, of which `node` has the first two; 0: there is none, as with
/// `node` 0.
inline uint32_t descend(const Slot* slots, const uint16_t* codes, uint32_t node, size_t begin, size_t end) noexcept {
  for (size_t k = begin + 2; node != 0 && k < end; ++k) {
    const uint32_t next = base_of(slots[node]) + codes[k];
    node = label_of(slots[next]) == codes[k] ? next : 0;
  }
  return node;
}
inline constexpr Slot kEmptySlot = make_slot(kNoChildren, kNotAKey, kEmptyLabel);

inline constexpr uint32_t kFormatVersion = 1;   ///< without tags
inline constexpr uint32_t kFormatWithTags = 2;  ///< the same bytes, then the tags (jieba_tag_format.h)
inline constexpr size_t kStates = 4;            ///< of the HMM, in this order: B, E, M, S
inline constexpr double kNever = -3.14e100;
inline constexpr double kNoWord = -std::numeric_limits<double>::infinity();  ///< the weight of a character that is not a word by itself

/// The arrays of a dictionary. Owns nothing.
struct Tables {
  std::span<const char32_t> alphabet;  ///< code -> code point; [0] is 0. Has all block characters.
  std::span<const Slot> slots;         ///< at least alphabet.size() slots after the largest base
  std::span<const uint64_t> counts;    ///< value -> frequency; [0] and [1] are 0
  std::span<const double> logs;        ///< value -> log(frequency); [0] and [1] are 0
  std::span<const double> weights;     ///< value -> log(frequency) - log(total)
  std::span<const uint32_t> idf_ids;   ///< slot -> place in idf, 0 for none; empty without an IDF table
  std::span<const double> idf;         ///< [0] is the median
  std::span<const double> hmm;         ///< start[4], then transition[from][to]; empty without an HMM
  std::span<const double> emissions;   ///< emissions[code * 4 + state]
  std::string_view stop_words;         ///< one a line
  uint64_t total = 0;                  ///< of the frequencies of all lines
  uint64_t words = 0;                  ///< with a frequency above 0
  TagTables tags;                      ///< empty without parts of speech
};

/// The whole file as bytes.
std::string serialize(const Tables& tables);

/// Checks everything and returns `Tables` that point into `bytes`, which begin at a multiple of 8. `file` is for messages. Throws
/// Error{kInput}.
Tables parse(std::string_view bytes, const std::string& file);

/// Of a file that parse() accepted.
std::vector<SectionInfo> list_sections(std::string_view bytes);
/// The same with and without tags.
uint64_t contents_id(std::string_view bytes);

}  // namespace neardup::jieba
