// UnitSequences: two texts as sequences of numbers, one for each unit, which are equal where the units are.
//
// Numbers are given in the order of first occurrence, text a before text b, so they are a function of the texts. Units are compared by
// their bytes, never by a hash alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/align/units.h"

namespace neardup {

struct UnitPlace {
  uint32_t begin;  ///< bytes of the text
  uint32_t end;
};

struct UnitSequence {
  std::vector<uint32_t> ids;
  std::vector<UnitPlace> places;  ///< as many
};

class UnitNumbers {
 public:
  UnitNumbers();

  /// Texts are shorter than 2^32 bytes.
  UnitSequence number(std::string_view text);

  [[nodiscard]] UnitKind kind_of(uint32_t id) const noexcept { return words_[id].kind; }
  [[nodiscard]] std::string_view folded(uint32_t id) const noexcept {
    return std::string_view(bytes_).substr(words_[id].begin, words_[id].size);
  }
  /// Code points of the folded form.
  [[nodiscard]] uint32_t length_of(uint32_t id) const noexcept { return words_[id].code_points; }

 private:
  struct Word {
    uint64_t hash;
    size_t begin;  // in bytes_
    size_t size;
    uint32_t code_points;
    UnitKind kind;
  };
  uint32_t id_of(const Unit& unit);
  void grow();

  std::string bytes_;
  std::vector<Word> words_;
  std::vector<uint32_t> table_;  // open addressing: id + 1; 0 is free. A power of two, at most half full
};

}  // namespace neardup
