#include "index/prefix/prefix_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint32_t kPruned = 0xFFFF'FFFF;
constexpr uint32_t kMinFrequencyBits = 10;
constexpr uint32_t kMaxFrequencyBits = 24;  // 64 MiB of counters

}  // namespace

uint64_t prefix_length(uint64_t size, Threshold threshold) noexcept {
  return size == 0 ? 0 : size - threshold.min_partner_size(size) + 1;
}

uint64_t early_prefix_length(uint64_t size, Threshold threshold) noexcept {
  return size == 0 ? 0 : size - threshold.required_overlap(size, size) + 1;
}

FeatureFrequency::FeatureFrequency(uint64_t total_features) {
  const uint32_t bits =
      std::clamp<uint32_t>(static_cast<uint32_t>(std::bit_width(total_features)) + 1, kMinFrequencyBits, kMaxFrequencyBits);
  counts_.resize(size_t{1} << bits);
  shift_ = 64 - bits;
}

void FeatureFrequency::add(std::span<const uint64_t> features) noexcept {
  for (const uint64_t feature : features) std::atomic_ref(counts_[slot_of(feature)]).fetch_add(1, std::memory_order_relaxed);
}

void FeatureFrequency::prefix(std::span<const uint64_t> features, Threshold threshold, std::vector<uint64_t>& prefix) const {
  prefix.assign(features.begin(), features.end());
  const auto rarer = [&](uint64_t a, uint64_t b) {
    const uint32_t count_a = counts_[slot_of(a)];
    const uint32_t count_b = counts_[slot_of(b)];
    return count_a != count_b ? count_a < count_b : a < b;
  };
  const auto end = prefix.begin() + static_cast<ptrdiff_t>(prefix_length(features.size(), threshold));
  // Only the rarest are sorted: the prefix of a high threshold is a small part of the set.
  if (end != prefix.end()) std::nth_element(prefix.begin(), end, prefix.end(), rarer);
  prefix.erase(end, prefix.end());
  std::sort(prefix.begin(), prefix.end(), rarer);
}

size_t PrefixIndex::find(uint64_t feature) const noexcept {
  const size_t mask = slots_.size() - 1;
  size_t at = (feature * 0x9E3779B97F4A7C15u) >> (64 - static_cast<uint32_t>(std::countr_zero(slots_.size())));
  while (slots_[at].used() && slots_[at].feature != feature) at = (at + 1) & mask;
  return at;
}

void PrefixIndex::reserve(uint64_t more_features) {
  if (nodes_.size() + more_features >= kUnused) {
    throw Error(ErrorCode::kResource,
                fmt::format("a group has more than {} indexed features; raise the threshold or split the input", kUnused));
  }
  const uint64_t wanted = std::bit_ceil(std::max<uint64_t>(64, (used_slots_ + more_features) * 4 / 3));
  if (nodes_.size() + more_features > nodes_.capacity())
    nodes_.reserve(std::max<uint64_t>(nodes_.size() + more_features, nodes_.capacity() * 2));
  if (wanted <= slots_.size()) return;
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(wanted));
  for (const Slot& slot : old) {
    if (!slot.used()) continue;
    const size_t at = find(slot.feature);
    slots_[at] = slot;
    // roll_back() goes from the node to its slot, which has moved.
    for (const uint32_t head : slot.heads) {
      for (uint32_t node = head; node != kNone; node = nodes_[node].next) nodes_[node].slot = static_cast<uint32_t>(at);
    }
  }
}

void PrefixIndex::insert(uint32_t member, std::span<const uint64_t> prefix, std::span<const uint8_t> useful) {
  const uint64_t early = early_prefix_length(sizes_[member], threshold_);
  for (uint32_t position = 0; position < prefix.size(); ++position) {
    if (!useful.empty() && useful[position] == 0) continue;
    const size_t at = find(prefix[position]);
    Slot& slot = slots_[at];
    if (!slot.used()) {
      slot.heads[0] = kNone;
      slot.feature = prefix[position];
      created_.push_back(static_cast<uint32_t>(at));
      ++used_slots_;
    }
    const bool late = position >= early;
    nodes_.push_back({member, position, slot.heads[late], static_cast<uint32_t>(at)});
    slot.heads[late] = static_cast<uint32_t>(nodes_.size() - 1);
  }
}

void PrefixIndex::roll_back(size_t mark) noexcept {
  // Newest first, so that every removed node is the head of its list.
  for (size_t at = nodes_.size(); at > mark; --at) {
    const Node& node = nodes_[at - 1];
    const bool late = node.position >= early_prefix_length(sizes_[node.member], threshold_);
    slots_[node.slot].heads[late] = node.next;
  }
  nodes_.resize(mark);
  // All slots newer than the mark are removed together, so no older feature was placed after one of them.
  for (const uint32_t slot : created_) slots_[slot] = Slot{};
  used_slots_ -= created_.size();
  created_.clear();
}

void PrefixIndex::visit(const Slot& slot, bool late, uint64_t size, uint32_t position, uint32_t below, Probe& probe) const {
  const uint64_t min_size = threshold_.min_partner_size(size);
  for (uint32_t at = slot.heads[late]; at != kNone; at = nodes_[at].next) {
    const Node& node = nodes_[at];
    if (node.member >= below) continue;
    const uint64_t other = sizes_[node.member];
    if (other < min_size || threshold_.min_partner_size(other) > size) continue;
    Probe::State& state = probe.state_[node.member];
    if (state.required == 0) {  // first seen by this probe, which resets all to 0 at its end
      state.required = static_cast<uint32_t>(threshold_.required_overlap(size, other));
      state.seen = 0;
      probe.touched_.push_back(node.member);
    }
    if (state.seen == kPruned) continue;
    // `seen` misses no earlier shared feature: a skipped feature comes late in both sets, and so do all after it.
    const uint64_t still_possible = 1 + std::min(size - position - 1, other - node.position - 1);
    state.seen = state.seen + still_possible >= state.required ? state.seen + 1 : kPruned;
  }
}

void PrefixIndex::probe_set(uint64_t size, std::span<const uint64_t> prefix, uint32_t below, Probe& probe,
                            std::vector<uint32_t>& candidates, std::span<const uint8_t> useful) const {
  candidates.clear();
  probe.touched_.clear();
  if (slots_.empty()) return;
  const uint64_t early = early_prefix_length(size, threshold_);
  for (uint32_t position = 0; position < prefix.size(); ++position) {
    if (!useful.empty() && useful[position] == 0) continue;
    const Slot& slot = slots_[find(prefix[position])];
    if (!slot.used()) continue;
    // A feature that comes late in both sets is skipped: see the header.
    visit(slot, false, size, position, below, probe);
    if (position < early) visit(slot, true, size, position, below, probe);
  }
  for (const uint32_t touched : probe.touched_) {
    if (probe.state_[touched].seen != kPruned) candidates.push_back(touched);
    probe.state_[touched].required = 0;
  }
  std::sort(candidates.begin(), candidates.end());
}

}  // namespace neardup
