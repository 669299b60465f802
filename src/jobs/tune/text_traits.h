// TextTraits: what kind of text a text is: its scripts, markup, source code, length.
//
// Pure functions of the text; total: bytes that are not UTF-8 read as U+FFFD. The guesses are for advice to people, never for a decision
// about a document.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "neardup/tools/tune.h"

namespace neardup {

struct TextTraits {
  std::array<uint64_t, TuneCorpus::kScripts> letters{};  ///< by script
  uint64_t characters = 0;                               ///< without white space
  bool html = false;                                     ///< tags make up a twentieth of it, three of them at least
  bool code = false;                                     ///< most lines end or begin like those of a program

  /// True if Chinese and Japanese characters are the largest part of its letters.
  [[nodiscard]] bool mostly_han() const noexcept;
};

TextTraits traits_of(std::string_view text);

}  // namespace neardup
