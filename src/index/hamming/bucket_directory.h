// BucketDirectory: the item ranges of many consecutive buckets, one cache line per lookup. BucketDirectoryWriter builds one from buckets in
// ascending order.
//
// A line of 64 bytes serves 56 buckets (1-byte counts) or 28 (2-byte): a u64 with the number of items before its first bucket, then, for
// each bucket, the items from there to the end of the bucket. If a line has more items than such a count can hold, the top bit of the u64
// is set and its other bits are an index into `spill`, which has the start of the first bucket and then the ends of the line's buckets as
// u64. A BucketDirectory is a view; thread-safe. It trusts no count: for any bytes, a range lies in [0, items].
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/spill_file.h"

namespace neardup {

/// The position of a bucket in its directory.
struct BucketSlot {
  const char* line = nullptr;
  uint32_t place = 0;  // in the line
};

/// Numbers of consecutive items.
struct ItemRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  friend bool operator==(const ItemRange&, const ItemRange&) = default;
};

class BucketDirectory {
 public:
  static constexpr size_t kLineBytes = 64;
  static constexpr uint64_t kSpilled = uint64_t{1} << 63;
  static constexpr uint64_t buckets_per_line(uint32_t count_bytes) noexcept { return 56 / count_bytes; }
  static constexpr uint64_t lines_for(uint64_t buckets, uint32_t count_bytes) noexcept {
    return (buckets + buckets_per_line(count_bytes) - 1) / buckets_per_line(count_bytes);
  }
  /// The suitable count bytes for this number of items and buckets.
  static constexpr uint32_t suitable_count_bytes(uint64_t buckets, uint64_t items) noexcept { return items > buckets * 3 ? 2 : 1; }

  BucketDirectory() = default;
  /// `lines` holds lines_for(buckets) lines.
  BucketDirectory(const char* lines, std::span<const uint64_t> spill, uint32_t count_bytes, uint64_t items) noexcept
      : lines_(lines), spill_(spill), count_bytes_(count_bytes), items_(items) {}

  [[nodiscard]] BucketSlot slot(uint64_t bucket) const noexcept {
    const uint64_t line = count_bytes_ == 1 ? bucket / 56 : bucket / 28;
    return {lines_ + kLineBytes * line, static_cast<uint32_t>(bucket - line * (count_bytes_ == 1 ? 56 : 28))};
  }
  [[nodiscard]] uint32_t count_bytes() const noexcept { return count_bytes_; }

  [[nodiscard]] ItemRange range(uint64_t bucket) const noexcept { return range(slot(bucket)); }
  [[nodiscard]] ItemRange range(BucketSlot slot) const noexcept {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t base = 0;
    std::memcpy(&base, slot.line, sizeof base);
    if ((base & kSpilled) != 0) [[unlikely]] {
      const uint64_t from = (base ^ kSpilled) + slot.place;
      if (from + 1 >= spill_.size()) return {};
      begin = spill_[from];
      end = spill_[from + 1];
    } else if (count_bytes_ == 1) {  // the byte before the first count is the top of the base, a zero
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
  [[nodiscard]] std::span<const uint64_t> spilled(BucketSlot slot) const noexcept {
    uint64_t base = 0;
    std::memcpy(&base, slot.line, sizeof base);
    if ((base & kSpilled) == 0 || (base ^ kSpilled) >= spill_.size()) return {};
    return spill_.subspan(base ^ kSpilled, std::min<uint64_t>(buckets_per_line(count_bytes_) + 1, spill_.size() - (base ^ kSpilled)));
  }

 private:
  const char* lines_ = nullptr;
  std::span<const uint64_t> spill_;
  uint32_t count_bytes_ = 1;
  uint64_t items_ = 0;
};

/// Makes the lines and the spilled counts of a directory.
class BucketDirectoryWriter {
 public:
  /// Data beyond `memory_bytes` (0: no bound) goes to temporary files. Skewed counts spill up to 2 bytes per item.
  BucketDirectoryWriter(uint32_t count_bytes, uint64_t memory_bytes, const std::string& temp_dir)
      : count_bytes_(count_bytes), lines_(half(memory_bytes), temp_dir), spill_(half(memory_bytes), temp_dir) {}

  /// `bucket` is at least that of the previous call.
  void add(uint64_t bucket, uint64_t items) {
    close_until(bucket);
    items_ += items;
  }
  /// `buckets`: their number; above the last bucket added to.
  void finish(uint64_t buckets) {
    close_until(buckets);
    if (!ends_.empty()) write_line();
  }

  /// Moves the lines to the sink. Once, after finish().
  void move_lines_to(ByteSink& sink) { lines_.move_to(sink); }
  [[nodiscard]] uint64_t spill_count() const noexcept { return spill_.size() / sizeof(uint64_t); }
  /// Likewise the spilled ends.
  void move_spill_to(ByteSink& sink) { spill_.move_to(sink); }
  [[nodiscard]] uint32_t count_bytes() const noexcept { return count_bytes_; }

 private:
  static uint64_t half(uint64_t memory_bytes) noexcept { return memory_bytes / 2 + memory_bytes % 2; }

  void close_until(uint64_t bucket) {
    for (; closed_ < bucket; ++closed_) {
      ends_.push_back(items_);
      if (ends_.size() == BucketDirectory::buckets_per_line(count_bytes_)) write_line();
    }
  }
  void write_line() {
    char line[BucketDirectory::kLineBytes] = {};
    const uint64_t most = (uint64_t{1} << (8 * count_bytes_)) - 1;
    uint64_t head = begin_;
    if (ends_.back() - begin_ > most) {
      head = spill_count() | BucketDirectory::kSpilled;
      spill_.append({reinterpret_cast<const char*>(&begin_), sizeof begin_});
      spill_.append({reinterpret_cast<const char*>(ends_.data()), ends_.size() * sizeof(uint64_t)});
    } else {
      for (size_t i = 0; i < ends_.size(); ++i) {
        const auto count = static_cast<uint16_t>(ends_[i] - begin_);
        std::memcpy(line + 8 + i * count_bytes_, &count, count_bytes_);
      }
    }
    std::memcpy(line, &head, sizeof head);
    begin_ = ends_.back();
    ends_.clear();
    lines_.append({line, sizeof line});
  }

  uint32_t count_bytes_;
  uint64_t closed_ = 0;  // buckets whose end is known
  uint64_t items_ = 0;   // so far
  uint64_t begin_ = 0;   // of the line
  std::vector<uint64_t> ends_;
  SpillFile lines_;
  SpillFile spill_;
};

}  // namespace neardup
