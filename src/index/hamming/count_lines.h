// CountLines: where each of many consecutive groups begins and ends, one cache line a look-up.
//
// A line of 64 bytes serves 56 groups (1-byte counts) or 28 (2-byte): a u64 with the number of items before its first group, then, for each
// group, the items from there to the end of the group. Where a line has more items than such a count can say, the top bit of the u64 is
// set and its other bits are a place in `spill`, where the ends of the line's groups stand as u64, after the beginning of the first one.
// A CountLines is a view; thread-safe. It trusts no count: whatever the bytes say, a range lies in [0, items].
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace neardup {

struct CountRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  friend bool operator==(const CountRange&, const CountRange&) = default;
};

class CountLines {
 public:
  static constexpr size_t kLineBytes = 64;
  static constexpr uint64_t kSpilled = uint64_t{1} << 63;
  static constexpr uint64_t groups_per_line(uint32_t count_bytes) noexcept { return 56 / count_bytes; }
  static constexpr uint64_t lines_for(uint64_t groups, uint32_t count_bytes) noexcept {
    return (groups + groups_per_line(count_bytes) - 1) / groups_per_line(count_bytes);
  }
  /// The count bytes that suit so many items in so many groups.
  static constexpr uint32_t suitable_count_bytes(uint64_t groups, uint64_t items) noexcept { return items > groups * 3 ? 2 : 1; }

  CountLines() = default;
  /// `lines` holds lines_for(groups) lines.
  CountLines(const char* lines, std::span<const uint64_t> spill, uint32_t count_bytes, uint64_t items) noexcept
      : lines_(lines), spill_(spill), count_bytes_(count_bytes), items_(items) {}

  /// Where a group is looked up.
  struct Slot {
    const char* line = nullptr;
    uint32_t place = 0;  // in the line
  };
  [[nodiscard]] Slot slot(uint64_t group) const noexcept {
    const uint64_t line = count_bytes_ == 1 ? group / 56 : group / 28;
    return {lines_ + kLineBytes * line, static_cast<uint32_t>(group - line * (count_bytes_ == 1 ? 56 : 28))};
  }
  [[nodiscard]] uint32_t count_bytes() const noexcept { return count_bytes_; }

  [[nodiscard]] CountRange range(uint64_t group) const noexcept { return range(slot(group)); }
  [[nodiscard]] CountRange range(Slot slot) const noexcept {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t base = 0;
    std::memcpy(&base, slot.line, sizeof base);
    if ((base & kSpilled) != 0) [[unlikely]] {
      const uint64_t from = (base ^ kSpilled) + slot.place;
      if (from + 1 >= spill_.size()) return {};
      begin = spill_[from];
      end = spill_[from + 1];
    } else if (count_bytes_ == 1) {  // before the first count stands the top of the base, a zero
      begin = base + static_cast<uint8_t>(slot.line[7 + slot.place]);
      end = base + static_cast<uint8_t>(slot.line[8 + slot.place]);
    } else {
      uint16_t counts[2];
      std::memcpy(counts, slot.line + 6 + size_t{slot.place} * 2, sizeof counts);
      begin = base + counts[0];
      end = base + counts[1];
    }
    end = std::min(end, items_);
    return {std::min(begin, end), end};
  }

  /// The spilled numbers that this line uses, so that they can be guarded.
  [[nodiscard]] std::span<const uint64_t> spilled(Slot slot) const noexcept {
    uint64_t base = 0;
    std::memcpy(&base, slot.line, sizeof base);
    if ((base & kSpilled) == 0 || (base ^ kSpilled) >= spill_.size()) return {};
    return spill_.subspan(base ^ kSpilled, std::min<uint64_t>(groups_per_line(count_bytes_) + 1, spill_.size() - (base ^ kSpilled)));
  }

 private:
  const char* lines_ = nullptr;
  std::span<const uint64_t> spill_;
  uint32_t count_bytes_ = 1;
  uint64_t items_ = 0;
};

}  // namespace neardup
