// TokenCounter: how often each hash occurs in a text, in the order of first occurrence. Open addressing; nothing is allocated once it has
// grown to the largest text of its thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace neardup {

class TokenCounter {
 public:
  struct Entry {
    uint64_t hash;
    uint32_t count;  ///< saturates at 2^32 - 1
  };

  void clear() noexcept {
    entries_.clear();
    // Slots of earlier texts have another text number, so that a long text does not slow down later short ones.
    if (++text_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      text_ = 1;
    }
  }

  /// Requires count > 0.
  void add(uint64_t hash, uint32_t count = 1) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    Slot& slot = find(hash);
    if (slot.text != text_) {
      slot = {hash, text_, static_cast<uint32_t>(entries_.size())};
      entries_.push_back({hash, count});
      return;
    }
    uint32_t& sum = entries_[slot.entry].count;
    sum += std::min(count, std::numeric_limits<uint32_t>::max() - sum);
  }

  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

 private:
  struct Slot {
    uint64_t hash = 0;  // that of the entry, so that a search looks at slots only
    uint32_t text = 0;  // the text that the slot was taken by
    uint32_t entry = 0;
  };

  Slot& find(uint64_t hash) noexcept {
    const size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    while (slots_[at].text == text_ && slots_[at].hash != hash) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    constexpr size_t kMinSlots = 256;
    slots_.assign(std::max(kMinSlots, 2 * slots_.size()), Slot{});
    for (size_t i = 0; i < entries_.size(); ++i) find(entries_[i].hash) = {entries_[i].hash, text_, static_cast<uint32_t>(i)};
  }

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
  uint32_t text_ = 1;
};

}  // namespace neardup
