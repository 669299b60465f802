#include "index/prefix/feature_counts.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace neardup {
namespace {

constexpr uint32_t kMinBits = 10;
constexpr uint32_t kMaxBits = std::bit_width(FeatureCounts::kMaxBytes) - 1;

uint32_t bits_of(uint64_t total_features) noexcept {
  return std::clamp<uint32_t>(static_cast<uint32_t>(std::bit_width(total_features)) + 1, kMinBits, kMaxBits);
}

}  // namespace

FeatureCounts::FeatureCounts(uint64_t total_features)
    : counts_(size_t{1} << bits_of(total_features)), shift_(64 - bits_of(total_features)) {}

void FeatureCounts::add(std::span<const uint64_t> features) noexcept {
  for (const uint64_t feature : features) {
    std::atomic_ref<uint8_t> count(counts_[feature >> shift_]);
    uint8_t known = count.load(std::memory_order_relaxed);
    while (known != kMany && !count.compare_exchange_weak(known, static_cast<uint8_t>(known + 1), std::memory_order_relaxed)) {
    }
  }
}

void FeatureCounts::rarest(std::span<const uint64_t> features, uint64_t count, std::vector<uint64_t>& rarest) const {
  rarest.assign(features.begin(), features.end());
  const auto rarer = [&](uint64_t a, uint64_t b) {
    const uint32_t count_a = this->count(a);
    const uint32_t count_b = this->count(b);
    return count_a != count_b ? count_a < count_b : a < b;
  };
  const auto end = rarest.begin() + static_cast<ptrdiff_t>(count);
  // Only the rarest are sorted: of a high threshold, they are a small part of the set.
  if (end != rarest.end()) std::nth_element(rarest.begin(), end, rarest.end(), rarer);
  rarest.erase(end, rarest.end());
  std::sort(rarest.begin(), rarest.end(), rarer);
}

}  // namespace neardup
