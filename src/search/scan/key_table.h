// KeyTable: lists of values under 64-bit keys, for texts in which nearly every key that is looked up is missing.
//
// A bitmap of at least 16 bits for each key answers most look-ups from the nearest cache. Immutable, shared by threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace neardup {

template <typename Value>
class KeyTable {
 public:
  using Entry = std::pair<uint64_t, Value>;

  /// What is stored under a key.
  struct List {
    uint32_t number = 0;  ///< of the key, below keys()
    std::span<const Value> values;
  };

  KeyTable() : KeyTable(std::vector<Entry>()) {}
  /// Requires fewer than 2^31 entries. Values of a key keep their order.
  explicit KeyTable(std::vector<Entry> entries) {
    std::ranges::stable_sort(entries, {}, &Entry::first);
    size_t keys = 0;
    for (size_t i = 0; i < entries.size(); ++i) keys += static_cast<size_t>(i == 0 || entries[i].first != entries[i - 1].first);
    filter_shift_ = 64 - bits_for(keys * kFilterBitsPerKey, kMinFilterBits, kMaxFilterBits);
    slot_shift_ = 64 - bits_for(2 * keys, 1, 63);
    filter_.resize((uint64_t{1} << (64 - filter_shift_)) / 64);
    slots_.resize(uint64_t{1} << (64 - slot_shift_));
    values_.reserve(entries.size());
    for (size_t begin = 0; begin < entries.size();) {
      const uint64_t key = entries[begin].first;
      size_t end = begin;
      for (; end < entries.size() && entries[end].first == key; ++end) values_.push_back(std::move(entries[end].second));
      insert({key, keys_++, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
      begin = end;
    }
  }

  [[nodiscard]] uint32_t keys() const noexcept { return keys_; }
  [[nodiscard]] bool empty() const noexcept { return keys_ == 0; }

  /// False: nothing is stored under the key. Mostly false if so.
  [[nodiscard]] bool may_have(uint64_t key) const noexcept {
    const uint64_t bit = spread(key) >> filter_shift_;
    return (filter_[bit / 64] >> bit % 64 & 1) != 0;
  }
  [[nodiscard]] List find(uint64_t key) const noexcept {
    for (uint64_t at = spread(key) >> slot_shift_;; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.begin == slot.end) return {};
      if (slot.key == key) return {slot.number, std::span(values_).subspan(slot.begin, slot.end - slot.begin)};
    }
  }

 private:
  static constexpr uint64_t kFilterBitsPerKey = 16;
  static constexpr uint32_t kMinFilterBits = 12;
  static constexpr uint32_t kMaxFilterBits = 25;

  struct Slot {
    uint64_t key = 0;
    uint32_t number = 0;
    uint32_t begin = 0;
    uint32_t end = 0;  // equal to begin: empty
  };

  // The top bits are those of all bits of the key.
  static uint64_t spread(uint64_t key) noexcept {
    key *= 0x9E37'79B9'7F4A'7C15u;
    return (key ^ key >> 32) * 0x9E37'79B9'7F4A'7C15u;
  }
  // The logarithm of the next power of two.
  static uint32_t bits_for(uint64_t count, uint32_t least, uint32_t most) noexcept {
    return std::clamp(static_cast<uint32_t>(std::bit_width(count)), least, most);
  }

  void insert(const Slot& slot) noexcept {
    const uint64_t bit = spread(slot.key) >> filter_shift_;
    filter_[bit / 64] |= uint64_t{1} << bit % 64;
    uint64_t at = spread(slot.key) >> slot_shift_;
    while (slots_[at].begin != slots_[at].end) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }

  uint32_t keys_ = 0;
  uint32_t filter_shift_ = 0;
  uint32_t slot_shift_ = 0;
  std::vector<uint64_t> filter_;
  std::vector<Slot> slots_;
  std::vector<Value> values_;
};

}  // namespace neardup
