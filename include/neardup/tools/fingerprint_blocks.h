// FingerprintBlocks: cuts a fingerprint into blocks of bits, for a table of block values in a database.
//
// Pigeonhole principle: two fingerprints that differ in at most m - 1 bits agree in at least one of m disjoint blocks. A database that
// keeps a row (block number, block value, fingerprint, id) for each block of each document therefore finds every neighbour within radius()
// by m lookups of (block number, block value). The lookups find candidates: match_rows() (neardup/tools/match_rows.h) decides which are
// neighbours.
//
// Block 0 has the lowest bits: its value is fingerprint modulo 2^width, and each further block has the next higher bits. All bits belong to
// a block. A block has at most 53 bits, so that its value is the same number everywhere: in a signed 64-bit column, in a double of a reader
// of JSON, in a Lua script.
//
// Implemented in src/index/hamming/fingerprint_blocks.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup {

inline constexpr uint32_t kMaxFingerprintBlocks = 32;
inline constexpr uint32_t kMaxFingerprintBlockBits = 53;

class FingerprintBlocks {
 public:
  /// "4x16": 4 blocks of 16 bits; "22,21,21": one width a block, block 0 first. 1 to 32 blocks of 1 to 53 bits, 64 or 128 bits together.
  /// Throws Error{kUsage} that names bound and value.
  static FingerprintBlocks parse(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }  ///< as it was given
  [[nodiscard]] uint32_t bits() const noexcept { return bits_; }            ///< 64 or 128
  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(widths_.size()); }
  /// The largest distance at which lookups of all blocks miss nothing.
  [[nodiscard]] uint32_t radius() const noexcept { return size() - 1; }
  /// `block` is below size(). Bits of the fingerprint above bits() do not count.
  [[nodiscard]] uint32_t width(uint32_t block) const noexcept { return widths_[block]; }
  [[nodiscard]] uint64_t value(Fingerprint128 fingerprint, uint32_t block) const noexcept;

 private:
  FingerprintBlocks() = default;

  std::string text_;
  uint32_t bits_ = 0;
  std::vector<uint32_t> widths_;
  std::vector<uint32_t> begins_;
};

}  // namespace neardup
