// SlotTable: rows by a 48-bit key, in six bytes a slot: a tag, 16 bits of the key, and the number of the row.
//
// Slots come in groups of 32, whose tags fill one line of the cache: a look-up compares all tags of a group at once, and reads rows only
// where a tag is equal. A key belongs to the group that its high 32 bits give; if that is full, to the next one with room. Groups fill from
// the front, so the first group with room ends a look-up. The tag is the low 16 bits, independent of the group. Keys are uniform.
//
// A look-up finds all rows of its key and, once in some 2,000, one of another key: the caller compares whole keys, which the rows have.
//
//   a group: the tags of its slots, u16 each, 0: empty | their rows, u32 each
//
// A view: the slots are in memory or in a mapped file, where any bytes read as defined results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "index/compat/large_page_allocator.h"

namespace neardup {

class SlotTable {
 public:
  static constexpr uint32_t kGroup = 32;  // slots
  static constexpr size_t kGroupTagBytes = kGroup * sizeof(uint16_t);
  static constexpr size_t kGroupBytes = kGroupTagBytes + kGroup * sizeof(uint32_t);
  static constexpr uint32_t kMaxRows = 1u << 31;

  SlotTable() = default;
  SlotTable(const uint8_t* slots, uint32_t groups) noexcept : slots_(slots), groups_(groups) {}

  /// The groups of a table for so many rows, of which 85 % are used. At most kMaxRows.
  static constexpr uint32_t groups_for(uint32_t rows) noexcept { return static_cast<uint32_t>(uint64_t{rows} * 100 / 85 / kGroup + 1); }
  static constexpr uint64_t bytes_for(uint32_t groups) noexcept { return uint64_t{groups} * kGroupBytes; }

  [[nodiscard]] uint32_t groups() const noexcept { return groups_; }
  [[nodiscard]] uint64_t bytes() const noexcept { return bytes_for(groups_); }
  [[nodiscard]] const uint8_t* slots() const noexcept { return slots_; }
  void prefetch(uint64_t key) const noexcept {
    if (groups_ != 0) __builtin_prefetch(tags_at(home(key)));
  }

  /// Calls visit(row) for every row in the table. In memory only.
  template <typename Visit>
  void for_each_row(const Visit& visit) const {
    for (uint32_t group = 0; group < groups_; ++group) {
      const Tags tags = load_tags(group);
      for (uint32_t i = 0; i < kGroup && tags[i] != kEmpty; ++i) visit(load_row(group, i));
    }
  }
  /// Calls visit(row) for every row that may have the key. `check(begin, bytes)` is called before these bytes are read.
  template <typename Check, typename Visit>
  void visit(uint64_t key, const Check& check, const Visit& visit) const {
    const uint16_t tag = tag_of(key);
    uint32_t group = groups_ == 0 ? 0 : home(key);
    for (uint32_t steps = 0; steps < groups_; ++steps) {
      check(tags_at(group), kGroupTagBytes);
      const Tags tags = load_tags(group);
      if (has(tags, tag)) {
        for (uint32_t i = 0; i < kGroup; ++i) {
          if (tags[i] != tag) continue;
          check(row_at(group, i), sizeof(uint32_t));
          visit(load_row(group, i));
        }
      }
      if (tags[kGroup - 1] == kEmpty) return;
      if (++group == groups_) group = 0;
    }
  }

 protected:
  static constexpr uint16_t kEmpty = 0;
  using Tags = std::array<uint16_t, kGroup>;

  static uint16_t tag_of(uint64_t key) noexcept {
    const auto tag = static_cast<uint16_t>(key);
    return tag == kEmpty ? uint16_t{1} : tag;
  }
  [[nodiscard]] uint32_t home(uint64_t key) const noexcept {
    return static_cast<uint32_t>((uint64_t{static_cast<uint32_t>(key >> 16)} * groups_) >> 32);
  }
  [[nodiscard]] const uint8_t* tags_at(uint32_t group) const noexcept { return slots_ + group * kGroupBytes; }
  [[nodiscard]] const uint8_t* row_at(uint32_t group, uint32_t slot) const noexcept {
    return tags_at(group) + kGroupTagBytes + slot * sizeof(uint32_t);
  }
  [[nodiscard]] Tags load_tags(uint32_t group) const noexcept {
    Tags tags;
    std::memcpy(tags.data(), tags_at(group), sizeof tags);
    return tags;
  }
  [[nodiscard]] uint32_t load_row(uint32_t group, uint32_t slot) const noexcept {
    uint32_t row = 0;
    std::memcpy(&row, row_at(group, slot), sizeof row);
    return row;
  }
  // A loop without a branch, which compilers turn into a few vector instructions.
  static bool has(const Tags& tags, uint16_t tag) noexcept {
    uint16_t found = 0;
    for (uint32_t i = 0; i < kGroup; ++i) found = static_cast<uint16_t>(found | static_cast<uint16_t>(tags[i] == tag ? 1 : 0));
    return found != 0;
  }
  static uint32_t used(const Tags& tags) noexcept {
    uint16_t count = 0;
    for (uint32_t i = 0; i < kGroup; ++i) count = static_cast<uint16_t>(count + static_cast<uint16_t>(tags[i] != kEmpty ? 1 : 0));
    return count;
  }

  const uint8_t* slots_ = nullptr;
  uint32_t groups_ = 0;
};

/// A table that is filled. For one thread; may be read by others between insertions.
class SlotTableBuilder : public SlotTable {
 public:
  using Memory = std::vector<uint8_t, LargePageAllocator<uint8_t>>;

  SlotTableBuilder() = default;
  /// Room for so many rows.
  explicit SlotTableBuilder(uint32_t rows) : own_(bytes_for(groups_for(rows))) { take(own_.data(), rows); }
  /// The same in bytes_for(groups_for(rows)) zeros that outlive it.
  SlotTableBuilder(uint8_t* zeros, uint32_t rows) noexcept { take(zeros, rows); }
  SlotTableBuilder(SlotTableBuilder&& other) noexcept { *this = std::move(other); }
  SlotTableBuilder& operator=(SlotTableBuilder&& other) noexcept {
    own_ = std::move(other.own_);  // which leaves the bytes where they are
    bytes_ = std::exchange(other.bytes_, nullptr);
    slots_ = std::exchange(other.slots_, nullptr);
    groups_ = std::exchange(other.groups_, 0);
    return *this;
  }
  SlotTableBuilder(const SlotTableBuilder&) = delete;
  SlotTableBuilder& operator=(const SlotTableBuilder&) = delete;
  ~SlotTableBuilder() = default;

  /// Enters a row unless its key has `most` rows. Takes the place of a row with this key that is dead: such keys have as many rows as
  /// before, so that a full bucket stays full. Returns false if the bucket is full. same(row): whether that row has the key; dead(row).
  /// Requires room.
  template <typename Same, typename Dead>
  bool insert(uint64_t key, uint32_t row, uint32_t most, const Same& same, const Dead& dead) {
    const uint16_t tag = tag_of(key);
    uint32_t rows = 0;
    for (uint32_t group = home(key);; group = group + 1 == groups_ ? 0 : group + 1) {
      const Tags tags = load_tags(group);
      if (has(tags, tag)) {
        for (uint32_t i = 0; i < kGroup; ++i) {
          if (tags[i] != tag || !same(load_row(group, i))) continue;
          if (dead(load_row(group, i))) {
            set(group, i, tag, row);
            return true;
          }
          if (++rows == most) return false;
        }
      }
      const uint32_t next = used(tags);
      if (next == kGroup) continue;
      set(group, next, tag, row);
      return true;
    }
  }

 private:
  void take(uint8_t* zeros, uint32_t rows) noexcept {
    bytes_ = zeros;
    slots_ = zeros;
    groups_ = groups_for(rows);
  }
  void set(uint32_t group, uint32_t slot, uint16_t tag, uint32_t row) noexcept {
    std::memcpy(bytes_ + (tags_at(group) - slots_) + slot * sizeof tag, &tag, sizeof tag);
    std::memcpy(bytes_ + (row_at(group, slot) - slots_), &row, sizeof row);
  }

  Memory own_;
  uint8_t* bytes_ = nullptr;
};

}  // namespace neardup
