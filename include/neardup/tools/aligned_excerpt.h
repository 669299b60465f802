// aligned_excerpt(): an alignment as pieces of text for a reader, with long equal passages left out.
//
//   for (const neardup::ExcerptPiece& piece : neardup::aligned_excerpt(a, b, alignment)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/tools/align.h"

namespace neardup {

struct ExcerptPiece {
  enum Kind : uint8_t {
    kSame,     ///< text of a that b has, too (up to white space, width and case)
    kOnlyA,    ///< text that only a has
    kOnlyB,    ///< text that only b has
    kLeftOut,  ///< characters of an equal passage that are not shown
    kMore,     ///< characters of both texts after the excerpt, which is complete without it
  };
  Kind kind = kSame;
  std::string_view text;    ///< of the original; empty for kLeftOut and kMore
  uint64_t characters = 0;  ///< code points of `text`, or that are not shown
  size_t a_begin = 0;       ///< where the piece begins, in bytes of a ...
  size_t b_begin = 0;       ///< ... and of b
};

struct ExcerptLimits {
  size_t context = 60;          ///< characters of an equal passage shown before and after a change
  size_t passage = 2000;        ///< characters of one changed side shown; the rest is kLeftOut
  size_t characters = 100'000;  ///< shown in all
};

/// The views point into a and b. Cuts between words, and inside a word only if it alone is longer than the limit; ideographs are words of
/// their own. An equal passage is left out only where that makes the excerpt shorter.
std::vector<ExcerptPiece> aligned_excerpt(std::string_view a, std::string_view b, const Alignment& alignment,
                                          const ExcerptLimits& limits = {});

}  // namespace neardup
