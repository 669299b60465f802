#include "online/delta.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace neardup {
namespace {

constexpr size_t kRowsAhead = 2;  // between a prefetch and its use

// Fourfold while they are small: rows are entered again less often. Large ones would take memory that is not used.
constexpr uint32_t grown(uint32_t rows) noexcept {
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{rows} * (rows < (1u << 18) ? 4 : 2), SlotTable::kMaxRows));
}

}  // namespace

Delta::Delta(const RowLayout& layout, uint32_t bucket_rows, uint32_t expected_rows) : layout_(layout), bucket_rows_(bucket_rows) {
  make_tables(expected_rows);
}

bool Delta::add(std::span<const uint8_t> row, const IsDead& dead) {
  rows_.insert(rows_.end(), row.begin(), row.end());
  ++count_;
  if (count_ > room_) grow();
  return enter(count_ - 1, dead);
}

// Each table keeps the rows that it has: a bucket that was filled in another order would refuse rows that nothing else finds.
void Delta::grow() {
  const uint32_t before = room_;
  const SlotTableBuilder::Memory old_slots = std::exchange(slots_, {});
  const std::vector<SlotTableBuilder> old = std::exchange(tables_, {});
  std::vector<std::vector<bool>> has(layout_.tables(), std::vector<bool>(before));
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    old[table].for_each_row([&](uint32_t number) { has[table][number] = true; });
  }
  make_tables(grown(before));
  // In the order of the rows, which are read once then.
  for (uint32_t number = 0; number < before; ++number) {
    if (number + kRowsAhead < before) prefetch_tables(row(number + kRowsAhead));
    for (uint32_t table = 0; table < layout_.tables(); ++table) {
      if (!has[table][number]) continue;
      tables_[table].insert(
          layout_.key(row(number), table), number, kAllRows, [](uint32_t) { return false; }, [](uint32_t) { return false; });
    }
  }
}

void Delta::prefetch(std::span<const uint8_t> row) const noexcept {
  prefetch_tables(row.data());
}

void Delta::prefetch_tables(const uint8_t* row) const noexcept {
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    if (layout_.in_table(row, table)) tables_[table].prefetch(layout_.key(row, table));
  }
}

bool Delta::enter(uint32_t number, const IsDead& dead) {
  const uint8_t* const added = row(number);
  bool entered = true;
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    if (!layout_.in_table(added, table)) continue;
    const uint64_t key = layout_.key(added, table);
    entered &= tables_[table].insert(
        key, number, table < layout_.bands() ? bucket_rows_ : kAllRows,
        [&](uint32_t other) { return layout_.key(row(other), table) == key; },
        [&](uint32_t other) { return dead(RowLayout::head(row(other))); });
  }
  return entered;
}

void Delta::make_tables(uint32_t rows) {
  room_ = rows;
  tables_.clear();
  views_.clear();
  const uint64_t table_bytes = SlotTable::bytes_for(SlotTable::groups_for(rows));
  slots_ = SlotTableBuilder::Memory(table_bytes * layout_.tables());
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    tables_.emplace_back(slots_.data() + table * table_bytes, rows);
    views_.push_back(tables_.back());
  }
}

}  // namespace neardup
