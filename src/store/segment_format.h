// The layout of a segment file (docs/formats.md has it to the byte): header, recipe, payload, names, hashes of blocks, footer.
//
// The header gives all offsets, each of which has only one valid value, so that a file with a consistent header cannot lead a reader out of
// it. Little-endian; written and mapped as it is.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/block_guard.h"

namespace neardup::segment {

static_assert(std::endian::native == std::endian::little, "segments are little-endian and mapped as they are");

inline constexpr std::string_view kMagic = "NDHSEG\r\n";  // the line end reveals a text conversion
inline constexpr std::string_view kEndMagic = "NDHSEND\n";
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr uint32_t kVersion = 1;
inline constexpr uint64_t kAlignment = 4096;  // of payload and names
inline constexpr uint64_t kMaxRecipe = uint64_t{1} << 20;
inline constexpr uint64_t kMaxSection = uint64_t{1} << 52;  // no sum of two of them passes 64 bits

struct Header {
  std::array<char, 8> magic;
  uint32_t byte_order;
  uint32_t version;
  std::array<char, 8> kind;  ///< padded with zeros
  uint32_t bits;
  uint32_t reserved;
  uint64_t recipe_id;
  uint64_t recipe_bytes;  ///< right after the header
  uint64_t entries;
  uint64_t payload_offset;
  uint64_t payload_bytes;
  uint64_t names_offset;
  uint64_t names_bytes;
  uint64_t hashes_offset;  ///< XXH3-64 of every block of the payload, then of the names
  uint64_t hashes;
  uint64_t file_bytes;
  uint64_t unused;
  uint64_t sum;  ///< XXH3-64 of everything before it and of the recipe
};
static_assert(sizeof(Header) == 128 && offsetof(Header, sum) == 120);

struct Footer {
  uint64_t file_bytes;
  uint64_t sum;  ///< XXH3-64 of the header, the recipe and the hashes: it identifies the contents
  std::array<char, 8> magic;
};
static_assert(sizeof(Footer) == 24);

constexpr uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}
constexpr uint64_t blocks_of(uint64_t bytes) {
  return (bytes + BlockGuard::kBlockBytes - 1) / BlockGuard::kBlockBytes;
}

/// Computes the offsets from the sizes.
constexpr void place_sections(Header& header) {
  header.payload_offset = round_up(sizeof(Header) + header.recipe_bytes, kAlignment);
  header.names_offset = round_up(header.payload_offset + header.payload_bytes, kAlignment);
  header.hashes_offset = round_up(header.names_offset + header.names_bytes, sizeof(uint64_t));
  header.hashes = blocks_of(header.payload_bytes) + blocks_of(header.names_bytes);
  header.file_bytes = header.hashes_offset + header.hashes * sizeof(uint64_t) + sizeof(Footer);
}

}  // namespace neardup::segment
