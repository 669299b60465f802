// The bits of consecutive postings of one hash: a whole short list, or a block of a long one. At most kBlockPostings of them.
//
//   texts      of a list of 1 to 7: each in the text width of its bucket
//              of a longer list: the first in that width; then 6 bits: width of the gaps, and the gaps
//              of a block: 6 bits: width of the gaps, and the gaps, the first from the last text of the block before (or 0)
//   contexts   of 1: itself
//              of 2 to 7: one bit: 1, all are equal, and this context; or 0, and each
//              of 8 and more: 4 bits: d; d = 12: each; else d bits: distinct contexts - 1, these, ascending, and d bits for each posting
// Texts do not descend, and the contexts of equal texts ascend.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/bit_codec.h"
#include "index/anchors/anchor_format.h"
#include "index/anchors/posting.h"

namespace neardup {

inline constexpr uint32_t kMinPackedRun = 8;

/// Which texts a run begins after.
enum class RunKind { kList, kBlock };

struct PostingRun {
  std::array<uint32_t, anchor_format::kBlockPostings> texts;
  std::array<uint16_t, anchor_format::kBlockPostings> contexts;
};

/// A whole list, of fewer than kBlockPostings postings; their texts have at most `text_bits` bits.
void put_list(BitWriter& out, std::span<const Posting> postings, uint32_t text_bits);
/// A block of a long list, after the text `before`.
void put_block(BitWriter& out, std::span<const Posting> postings, uint32_t before);

/// Reads `count` <= kBlockPostings postings that put_list() wrote. False if that is not what the bits are, or a text is not below
/// `text_limit`; then `run` holds anything.
[[nodiscard]] bool get_list(BitReader& in, uint32_t count, uint32_t text_bits, uint64_t text_limit, PostingRun& run) noexcept;
/// The same for put_block().
[[nodiscard]] bool get_block(BitReader& in, uint32_t count, uint32_t before, uint64_t text_limit, PostingRun& run) noexcept;
/// Passes a list without reading it. in.ok() says whether there was one.
void skip_list(BitReader& in, uint32_t count, uint32_t text_bits) noexcept;

}  // namespace neardup
