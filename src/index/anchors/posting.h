// Posting: one anchor of one text, as it is sorted and stored.
#pragma once

#include <compare>
#include <cstdint>

#include "index/anchors/anchors.h"

namespace neardup {

/// Texts are numbered from 0 to this.
inline constexpr uint32_t kMaxPostingText = 0xFFFF'FFFE;

/// hash < 2^kAnchorHashBits, context < 2^kContextBits, text <= kMaxPostingText. Ordered by hash, text, context.
struct Posting {
  uint64_t hash = 0;
  uint32_t text = 0;
  uint16_t context = 0;
  friend auto operator<=>(const Posting&, const Posting&) = default;
};

}  // namespace neardup
