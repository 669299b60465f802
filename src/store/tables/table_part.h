// TablePart: rows and the tables that find them, in memory or in a segment. A view, as look-ups read it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "base/block_guard.h"
#include "store/table_rows.h"
#include "store/tables/slot_table.h"

namespace neardup {

struct TablePart {
  const RowLayout* layout = nullptr;
  const uint8_t* row_data = nullptr;
  uint32_t rows = 0;
  std::span<const SlotTable> tables;  ///< RowLayout::tables()
  const BlockGuard* guard = nullptr;  ///< of bytes in a file; null: in memory
  uint64_t last_sequence = 0;         ///< of the last row

  /// Throws Error{kInput} if it is in a damaged block of a file; so do all functions that read rows or tables.
  [[nodiscard]] const uint8_t* row(uint32_t number) const {
    const uint8_t* const at = row_data + size_t{number} * layout->row_bytes();
    if (guard != nullptr) guard->check(at, layout->row_bytes());
    return at;
  }
  /// Calls visit(number) for every row that the table may have under the key.
  template <typename Visit>
  void visit(uint32_t table, uint64_t key, const Visit& visit) const {
    tables[table].visit(
        key,
        [this](const uint8_t* at, size_t bytes) {
          if (guard != nullptr) guard->check(at, bytes);
        },
        [&](uint32_t number) {
          if (number < rows) visit(number);
        });
  }
  void prefetch(uint32_t table, uint64_t key) const noexcept { tables[table].prefetch(key); }
  /// The row with this sequence, by binary search.
  [[nodiscard]] std::optional<uint32_t> find(uint64_t sequence) const {
    const uint32_t found = lower_bound(sequence);
    if (found == rows || RowLayout::sequence(row(found)) != sequence) return std::nullopt;
    return found;
  }
  /// The first row with this sequence or a later one; rows if there is none.
  [[nodiscard]] uint32_t lower_bound(uint64_t sequence) const {
    uint32_t begin = 0;
    uint32_t end = rows;
    while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2;
      if (RowLayout::sequence(row(middle)) < sequence) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

}  // namespace neardup
