// The trie of the jieba dictionary: a double array of 64-bit slots over dense character codes.
//
// A slot is base << 40 | value << 16 | label. The child of a node by the code c is the slot base + c, if its label is c: no two
// nodes have the same base, so the label alone says whose child it is. Two bases are special: the root's is 0, and 1 is the base
// of every node without children (and of no other), so that a step from there fails without a question. An empty slot has the
// label kEmptyLabel, which is not a code. Code 0 is "no character of a block": no slot has that label.
#pragma once

#include <cstdint>

namespace neardup::jieba {

using Slot = uint64_t;

inline constexpr uint32_t kRootBase = 0;
inline constexpr uint32_t kNoChildren = 1;
inline constexpr uint16_t kEmptyLabel = 0xFFFF;
inline constexpr uint32_t kMaxCode = 0xFFFE;
inline constexpr uint32_t kMaxBase = 0xFF'FFFF;
inline constexpr uint32_t kMaxValue = 0xFF'FFFF;

// What the value of a node says. Other values number the different frequencies of words.
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
inline constexpr Slot kEmptySlot = make_slot(kNoChildren, kNotAKey, kEmptyLabel);

}  // namespace neardup::jieba
