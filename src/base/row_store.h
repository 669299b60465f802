// RowStore: rows of one size, numbered from 0 and appended batch by batch; rows beyond the memory bound go to disk.
//
// Filled from one thread; afterwards read by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/spill_file.h"

namespace neardup {

class RowStore {
 public:
  RowStore(size_t row_bytes, uint64_t memory_bytes, std::string temp_dir)
      : row_bytes_(row_bytes), blocks_(memory_bytes, std::move(temp_dir)) {}

  /// Throws Error{kOutput} when the disk is full.
  void append(std::vector<uint8_t> rows);
  /// Calls put() with each of these rows (ascending). Throws Error{kInput} when spilled data cannot be read.
  void read(std::span<const uint32_t> numbers, const std::function<void(const uint8_t* row)>& put) const;
  /// Like read(), but frees each block after it; nothing can be read afterwards.
  void take(std::span<const uint32_t> numbers, const std::function<void(const uint8_t* row)>& put);
  /// Keeps only these rows (ascending), which get the numbers 0, 1, ...; appended ones follow. Old and new rows both exist until it
  /// returns. Throws Error{kInput}, and Error{kOutput} when the disk is full.
  void keep(std::span<const uint32_t> numbers);
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return blocks_.spilled_bytes(); }

 private:
  RowStore(size_t row_bytes, SpillBlocks blocks) : row_bytes_(row_bytes), blocks_(std::move(blocks)) {}

  struct Numbers {
    uint32_t first;
    uint32_t count;
  };
  // Calls put() for those of `numbers` from `next` on that are in the block, and moves `next` past them.
  void read(size_t block, std::span<const uint32_t> numbers, size_t& next, std::vector<uint8_t>& space,
            const std::function<void(const uint8_t* row)>& put) const;

  size_t row_bytes_;
  uint32_t next_number_ = 0;
  std::vector<Numbers> numbers_;  // of the rows of each block
  SpillBlocks blocks_;
};

}  // namespace neardup
