// CountLinesWriter: makes CountLines (see count_lines.h) of groups whose items are counted in ascending order.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "index/hamming/count_lines.h"
#include "index/hamming/side_bytes.h"

namespace neardup {

class CountLinesWriter {
 public:
  /// What is beyond `memory_bytes` (0: no bound) waits in temporary files. Skewed counts spill up to 2 bytes an item.
  CountLinesWriter(uint32_t count_bytes, uint64_t memory_bytes, const std::string& temp_dir)
      : count_bytes_(count_bytes), lines_(half(memory_bytes), temp_dir), spill_(half(memory_bytes), temp_dir) {}

  /// `group` is at least that of the call before.
  void add(uint64_t group, uint64_t items) {
    close_until(group);
    items_ += items;
  }
  /// `groups`: how many there are; more than the last one added to.
  void finish(uint64_t groups) {
    close_until(groups);
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

  void close_until(uint64_t group) {
    for (; closed_ < group; ++closed_) {
      ends_.push_back(items_);
      if (ends_.size() == CountLines::groups_per_line(count_bytes_)) write_line();
    }
  }
  void write_line() {
    char line[CountLines::kLineBytes] = {};
    const uint64_t most = (uint64_t{1} << (8 * count_bytes_)) - 1;
    uint64_t head = begin_;
    if (ends_.back() - begin_ > most) {
      head = spill_count() | CountLines::kSpilled;
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
  uint64_t closed_ = 0;  // groups whose end is known
  uint64_t items_ = 0;   // so far
  uint64_t begin_ = 0;   // of the line
  std::vector<uint64_t> ends_;
  SideBytes lines_;
  SideBytes spill_;
};

}  // namespace neardup
