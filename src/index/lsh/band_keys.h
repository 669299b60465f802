// BandKeys: for every document one 48-bit key per LSH band, stored band by band within blocks of consecutive documents.
//
// 48 bits suffice for grouping: 10^9 documents have fewer than 2,000 chance collisions per band, each of which costs only a verification.
// Document numbers are implied by the position. Blocks beyond the memory given go to a temporary file.
//
// Filled from one thread in document order; afterwards read by any number of threads.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/spill_file.h"
#include "index/lsh/lsh_plan.h"

namespace neardup {

class BandKeys {
 public:
  static constexpr size_t kKeyBytes = 6;
  using Block = SpillBlocks::Block;

  BandKeys(LshPlan plan, uint64_t memory_bytes, std::string temp_dir) : plan_(plan), blocks_(memory_bytes, std::move(temp_dir)) {}

  /// The bytes of all keys of one document.
  static size_t row_bytes(const LshPlan& plan) noexcept { return plan.bands * kKeyBytes; }
  /// Appends the keys of one document to `rows`. Requires signature.size() >= bands * rows.
  static void append_row(const LshPlan& plan, std::span<const uint32_t> signature, std::vector<uint8_t>& rows);
  /// Rows document by document -> a block band by band.
  static Block transpose(const LshPlan& plan, std::span<const uint8_t> rows);

  /// Appends the block of the next documents. Throws Error{kOutput} when the disk is full.
  void append(Block block);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] size_t block_count() const noexcept { return blocks_.count(); }
  [[nodiscard]] uint32_t first_document(size_t block) const noexcept { return documents_[block].first; }
  [[nodiscard]] uint32_t documents(size_t block) const noexcept { return documents_[block].count; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return blocks_.spilled_bytes(); }

  /// The keys of one band of a block: documents(block) * kKeyBytes bytes, in `space` if they had to be read. Throws Error{kInput}.
  std::span<const uint8_t> band(size_t block, uint32_t band, std::vector<uint8_t>& space) const;
  /// A whole block, in `space` if it had to be read. Throws Error{kInput}.
  std::span<const uint8_t> whole(size_t block, std::vector<uint8_t>& space) const;
  /// Copies the row of one document of a block (as append_row made it) from the result of whole().
  void copy_row(size_t block, std::span<const uint8_t> whole, size_t i, uint8_t* row) const noexcept;
  /// Keeps only these documents (ascending), which get the numbers 0, 1, ...; appended ones follow. Old and new keys are both on disk until
  /// it returns. Throws Error{kInput} when spilled data cannot be read, and Error{kOutput} when the disk is full.
  void keep(std::span<const uint32_t> documents);
  /// Frees a block's memory. It must not be read again.
  void forget(size_t block) noexcept { blocks_.forget(block); }

  static uint64_t load(const uint8_t* key) noexcept {
    uint32_t low = 0;
    uint16_t high = 0;
    std::memcpy(&low, key, sizeof low);
    std::memcpy(&high, key + sizeof low, sizeof high);
    return low | uint64_t{high} << 32;
  }
  /// The number of bands that two rows share.
  static uint32_t common_bands(const LshPlan& plan, const uint8_t* row_a, const uint8_t* row_b) noexcept;
  static bool share_band(const LshPlan& plan, const uint8_t* row_a, const uint8_t* row_b) noexcept;

 private:
  BandKeys(LshPlan plan, SpillBlocks blocks) : plan_(plan), blocks_(std::move(blocks)) {}

  struct Documents {
    uint32_t first;
    uint32_t count;
  };

  LshPlan plan_;
  uint32_t next_document_ = 0;
  std::vector<Documents> documents_;  // of each block
  SpillBlocks blocks_;
};

}  // namespace neardup
