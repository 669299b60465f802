#include "text/jieba/jieba_trie_depth.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace neardup::jieba {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// base -> the slot that has it. Empty if two have the same.
std::vector<uint32_t> slots_by_base(std::span<const Slot> slots, size_t codes) {
  uint32_t largest = 0;
  for (const Slot slot : slots) largest = std::max(largest, base_of(slot));
  std::vector<uint32_t> by_base(largest + size_t{1}, kNobody);
  for (size_t i = 0; i < slots.size(); ++i) {
    const uint32_t base = base_of(slots[i]);
    if (base == kNoChildren || label_of(slots[i]) >= codes) continue;
    if (base == kRootBase || by_base[base] != kNobody) return {};
    by_base[base] = static_cast<uint32_t>(i);
  }
  return by_base;
}

}  // namespace

// A slot's label tells the base of its parent, and a base has one slot: so each slot has one parent at most, and none that the root leads
// to is in a circle.
std::optional<size_t> trie_depth(std::span<const Slot> slots, size_t codes) {
  const std::vector<uint32_t> by_base = slots_by_base(slots, codes);
  if (by_base.empty()) return std::nullopt;
  constexpr uint32_t kUnknown = 0;
  constexpr uint32_t kUnreachable = UINT32_MAX;  // or on the way up from there
  std::vector<uint32_t> depths(slots.size(), kUnknown);
  std::vector<uint32_t> way;
  uint32_t deepest = 0;
  for (size_t i = 0; i < slots.size(); ++i) {
    way.clear();
    uint32_t above = kUnreachable;
    for (auto at = static_cast<uint32_t>(i);;) {
      above = depths[at];
      if (above != kUnknown) break;
      depths[at] = above = kUnreachable;
      const uint16_t label = label_of(slots[at]);
      if (label >= codes || label > at) break;
      way.push_back(at);
      const uint32_t base = at - label;
      above = 0;
      if (base == kRootBase) break;
      above = kUnreachable;
      if (base >= by_base.size() || by_base[base] == kNobody) break;
      at = by_base[base];
    }
    if (above == kUnreachable) continue;
    for (; !way.empty(); way.pop_back()) depths[way.back()] = ++above;
    deepest = std::max(deepest, above);
  }
  return deepest;
}

}  // namespace neardup::jieba
