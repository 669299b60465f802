// The bits of consecutive postings of one hash: a whole short list, or a block of a long one. At most kBlockPostings of them.
//
//   texts      of a list of one: itself, in the text width of its bucket
//              else the gaps between texts, the first from the last text of the block before (or 0), as Rice codes, taken apart: the low
//              bits of all, then the zeros and ones of all. The parameter of a list of 2 to 7 follows from the text scale of its bucket
//              (gap_parameter()); otherwise 5 bits before the gaps have it
//   contexts   of a list of 2 to 7: the first; for each other: 0 and itself, or 1 and its place among the different ones so far, in as few
//              bits as these need
//              of 8 and more, and of blocks: 4 bits: d; d = 15: all as they are. Else they have a dictionary: one bit: are there contexts
//              outside it? d bits: its size - 1; its contexts. If there are others: a bit for each posting, 1: inside. Then for each
//              posting d bits, its place in the dictionary, or the context
// A context has kContextBits bits. Texts do not descend, and the contexts of equal texts ascend.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/bit_codec.h"
#include "index/anchors/anchor_format.h"
#include "index/anchors/posting.h"

namespace neardup {

/// What the postings of a bucket have in common: the width of its greatest text, and in which quarter of the texts of this width it is.
class TextScale {
 public:
  TextScale() = default;
  static TextScale of(uint32_t greatest) noexcept;
  /// Of bits(), which may be any; see is_valid().
  static TextScale of_bits(uint32_t bits) noexcept;

  [[nodiscard]] bool is_valid() const noexcept { return width_ <= 32; }
  [[nodiscard]] uint32_t bits() const noexcept { return width_ | quarter_ << 6; }
  [[nodiscard]] uint32_t width() const noexcept { return width_; }
  /// The Rice parameter for a list of so many postings.
  [[nodiscard]] uint32_t parameter(uint32_t count) const noexcept;

 private:
  uint32_t width_ = 0;
  uint32_t quarter_ = 0;
};

struct PostingRun {
  std::array<uint32_t, anchor_format::kBlockPostings> texts;
  std::array<uint16_t, anchor_format::kBlockPostings> contexts;
};

/// A whole list, of fewer than kBlockPostings postings.
void put_list(BitWriter& out, std::span<const Posting> postings, TextScale scale);
/// A block of a long list, after the text `before`.
void put_block(BitWriter& out, std::span<const Posting> postings, uint32_t before);

/// Reads `count` < kBlockPostings postings that put_list() wrote. False if that is not what the bits are, or a text is not below
/// `text_limit`; then `run` holds anything. Requires a valid scale.
[[nodiscard]] bool get_list(BitReader& in, uint32_t count, TextScale scale, uint64_t text_limit, PostingRun& run) noexcept;
/// The same for put_block(), and `count` <= kBlockPostings.
[[nodiscard]] bool get_block(BitReader& in, uint32_t count, uint32_t before, uint64_t text_limit, PostingRun& run) noexcept;
/// Passes a list without reading it. in.ok() says whether there was one.
void skip_list(BitReader& in, uint32_t count, TextScale scale) noexcept;

}  // namespace neardup
