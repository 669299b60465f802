// SignatureFilter: a second look at candidate pairs, from four bits of every MinHash lane, before their texts are read again.
//
// Two documents of Jaccard similarity s agree in the four bits of a lane with probability s + (1 - s) / 16 (b-bit minwise hashing: Li and
// Koenig 2010). A pair that agrees in fewer lanes than a pair at the threshold does with probability 10^-6 is not a candidate. This adds at
// most 10^-6 to the miss probability and spares reading most of the documents that only happened to share a band.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/temp_file.h"
#include "neardup/tools/threshold.h"

namespace neardup {

class SignatureFilter {
 public:
  static constexpr double kMissProbability = 1e-6;

  SignatureFilter() = default;  ///< lets every pair pass
  SignatureFilter(uint32_t lanes, Threshold threshold);

  /// The bytes of one document's bits: half a byte a lane, rounded up to 8; 0 when the filter has no use.
  [[nodiscard]] size_t row_bytes() const noexcept { return row_bytes_; }
  /// The least number of agreeing lanes.
  [[nodiscard]] uint32_t least_agreement() const noexcept { return least_; }
  /// Appends the row of a signature.
  void append_row(std::span<const uint32_t> signature, std::vector<uint8_t>& rows) const;
  [[nodiscard]] bool pass(const uint8_t* row_a, const uint8_t* row_b) const noexcept {
    return row_bytes_ == 0 || agreement(row_a, row_b) >= least_;
  }
  [[nodiscard]] uint32_t agreement(const uint8_t* row_a, const uint8_t* row_b) const noexcept;

 private:
  uint32_t lanes_ = 0;
  uint32_t least_ = 0;
  size_t row_bytes_ = 0;
};

/// Rows of one size, appended batch by batch in document order, the later ones on disk when memory is short.
class RowStore {
 public:
  RowStore(size_t row_bytes, uint64_t memory_bytes, std::string temp_dir)
      : row_bytes_(row_bytes), memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}

  /// Throws Error{kOutput} when the disk is full.
  void append(std::vector<uint8_t> rows);
  /// Calls put() with the row of each of these documents (ascending).
  void read(std::span<const uint32_t> documents, const std::function<void(const uint8_t* row)>& put) const;
  /// The same once, at the end: frees the memory on the way.
  void take(std::span<const uint32_t> documents, const std::function<void(const uint8_t* row)>& put);
  /// As BandKeys::keep().
  void keep(std::span<const uint32_t> documents);
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return spill_ ? spill_->size() : 0; }

 private:
  struct Block {
    uint32_t first;
    uint32_t count;
    std::vector<uint8_t> bytes;  // empty when spilled
    uint64_t offset;
  };
  // Calls put() for those of `documents` from `next` on that are in the block, and moves `next` past them.
  void read(const Block& block, std::span<const uint32_t> documents, size_t& next, std::vector<uint8_t>& space,
            const std::function<void(const uint8_t* row)>& put) const;

  size_t row_bytes_;
  uint64_t memory_bytes_;
  uint64_t used_bytes_ = 0;
  uint32_t next_document_ = 0;
  std::string temp_dir_;
  std::vector<Block> blocks_;
  std::optional<TempFile> spill_;
};

}  // namespace neardup
