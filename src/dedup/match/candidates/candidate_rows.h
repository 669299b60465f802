// CandidateRows: rows of one size, by ordinal: the sketch data of each candidate.
//
// In memory if all fit into the budget; otherwise in a mapped temporary file, so that the page cache holds as much as fits. Appended to by
// one thread; after finish() read by any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/spill_file.h"

namespace neardup {

class CandidateRows {
 public:
  CandidateRows() = default;  ///< no rows
  /// For `count` rows.
  CandidateRows(size_t row_bytes, size_t count, uint64_t memory_bytes, std::string temp_dir);

  /// Throws Error{kOutput} when the disk is full.
  void append(const uint8_t* row);
  /// Call it after the last append(). Throws Error{kOutput}, or Error{kResource} when the file cannot be mapped.
  void finish();
  /// The rows one after the other.
  [[nodiscard]] const uint8_t* data() const noexcept { return data_; }
  /// Keeps only the rows of these ordinals (ascending). Old and new rows both exist until it returns. Throws as append() and finish().
  void keep(std::span<const uint32_t> ordinals);
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return rows_.spilled_bytes(); }

 private:
  size_t row_bytes_ = 0;
  uint64_t memory_bytes_ = 0;
  std::string temp_dir_;
  SpillFile rows_;
  const uint8_t* data_ = nullptr;
};

}  // namespace neardup
