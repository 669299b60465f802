// The layout of an anchor image, for its writer and its view; docs/formats.md describes it.
//
// An image is: for each bucket of hashes its long lists and then its bits; the directory, where each bucket begins; the trailer. Offsets
// count from the beginning of the image. Nothing is aligned.
//
//   bucket      gamma(lists + 1); if there are lists: the text scale (8 bits), their heads, and their postings. A head is the Rice code of
//               the gap to the hash before and gamma(postings). Of a long list, 48 bits stand for the postings: where its skip table is
//   long list   blocks of kBlockPostings postings, each from a new byte on; then the skip table: the last text of each block (u32), then
//               the end of each block (5 bytes, from the first one on)
//   directory   groups of kGroupOffsets offsets: the first (u64), then all of them as distances from it, offset_bits bits each
// posting_run.h has the bits of postings.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "index/anchors/posting.h"

namespace neardup::anchor_format {

inline constexpr uint64_t kMagic = 0x3152'4F48'434E'4144;  // "DANCHOR1"
inline constexpr uint32_t kVersion = 1;

inline constexpr uint64_t kBucketPostings = 128;
inline constexpr uint32_t kTextScaleBits = 8;
inline constexpr uint32_t kOffsetBits = 48;  // of a skip table

inline constexpr uint32_t kBlockPostings = 128;                                  // lists of this many and more are long
inline constexpr uint64_t kLastBytes = 4;                                        // of a skip table
inline constexpr uint64_t kEndBytes = 5;                                         // of a skip table
inline constexpr uint64_t kMaxListBytes = (uint64_t{1} << (8 * kEndBytes)) - 1;  // the blocks of a list

inline constexpr uint64_t kGroupOffsets = 64;
inline constexpr uint32_t kMaxDirectoryBits = 48;

struct Trailer {
  uint64_t postings = 0;
  uint64_t lists = 0;
  uint64_t text_limit = 0;  // greater than every text
  uint64_t directory = 0;   // offset
  uint64_t bytes = 0;       // of the image
  uint32_t bucket_bits = 0;
  uint32_t offset_bits = 0;
  uint32_t version = kVersion;
  uint32_t unused = 0;
  uint64_t magic = kMagic;
};
static_assert(sizeof(Trailer) == 64);

/// So many of the top bits of a hash are the number of its bucket.
constexpr uint32_t bucket_bits_for(uint64_t postings) noexcept {
  return postings == 0 ? 0 : std::min<uint32_t>(kAnchorHashBits, static_cast<uint32_t>(std::bit_width((postings - 1) / kBucketPostings)));
}

/// The parameter of the Rice codes in a bucket. The hashes are spread evenly, so the number of lists says how wide the gaps are. Because
/// the gaps of a bucket add up to less than its width, their quotients add up to less than twice the number of lists, whatever the hashes.
constexpr uint32_t gap_parameter(uint32_t bucket_bits, uint64_t lists) noexcept {
  const uint32_t width = kAnchorHashBits - bucket_bits;
  return width - std::min<uint32_t>(width, static_cast<uint32_t>(std::bit_width(lists)));
}

constexpr uint64_t group_bytes(uint32_t offset_bits) noexcept {
  return sizeof(uint64_t) + kGroupOffsets * offset_bits / 8;
}
/// Every bucket has an offset, and so has their end.
constexpr uint64_t groups_for(uint32_t bucket_bits) noexcept {
  return ((uint64_t{1} << bucket_bits) + 1 + kGroupOffsets - 1) / kGroupOffsets;
}

}  // namespace neardup::anchor_format
