// Delta: the rows that are not in a segment yet, and the tables that find them. Tables grow fourfold, and all lie in one piece of memory,
// which is large enough for large pages.
//
// Filled by one thread; read by others between insertions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "store/tables/table_part.h"

namespace neardup {

class Delta {
 public:
  static constexpr uint32_t kFirstRows = 256;
  /// `bucket_rows`: kBucketRows, or kAllRows where no bucket is ever full.
  explicit Delta(const RowLayout& layout, uint32_t bucket_rows = kBucketRows, uint32_t expected_rows = kFirstRows);

  using IsDead = std::function<bool(const RowHead& head)>;
  /// Adds a row with a higher sequence than those before. Returns false if a full bucket did not take it, which must then be found
  /// otherwise. Rows that are dead, and remain so, lose their place to others with the same key.
  bool add(std::span<const uint8_t> row, const IsDead& dead);
  /// Asks for the memory that add() of this row writes: call it some rows ahead.
  void prefetch(std::span<const uint8_t> row) const noexcept;

  [[nodiscard]] TablePart part() const noexcept {
    return {&layout_, rows_.data(), count_, views_, nullptr, count_ == 0 ? 0 : RowLayout::sequence(row(count_ - 1))};
  }
  [[nodiscard]] uint32_t rows() const noexcept { return count_; }

 private:
  [[nodiscard]] const uint8_t* row(uint32_t number) const noexcept { return rows_.data() + size_t{number} * layout_.row_bytes(); }
  bool enter(uint32_t number, const IsDead& dead);
  void grow();
  void make_tables(uint32_t rows);
  void prefetch_tables(const uint8_t* row) const noexcept;

  RowLayout layout_;
  uint32_t bucket_rows_;
  SlotTableBuilder::Memory rows_;
  uint32_t count_ = 0;
  uint32_t room_ = 0;               // rows of the tables
  SlotTableBuilder::Memory slots_;  // of tables_
  std::vector<SlotTableBuilder> tables_;
  std::vector<SlotTable> views_;  // of tables_
};

}  // namespace neardup
