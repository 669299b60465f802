#include "online/delta.h"

#include <utility>

namespace neardup {

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
  std::vector<SlotTableBuilder> old = std::exchange(tables_, {});
  make_tables(room_ * 2);
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    old[table].for_each_row([&](uint32_t number) {
      tables_[table].insert(
          layout_.key(this->row(number), table), number, kAllRows, [](uint32_t) { return false; }, [](uint32_t) { return false; });
    });
    old[table] = {};
  }
}

void Delta::prefetch(std::span<const uint8_t> row) const noexcept {
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    if (layout_.in_table(row.data(), table)) tables_[table].prefetch(layout_.key(row.data(), table));
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
  for (uint32_t table = 0; table < layout_.tables(); ++table) {
    tables_.emplace_back(rows);
    views_.push_back(tables_.back());
  }
}

}  // namespace neardup
