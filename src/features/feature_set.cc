#include "features/feature_set.h"

#include <algorithm>
#include <array>
#include <bit>

namespace neardup {
namespace {

constexpr size_t kSmall = 48;            // insertion sort is faster below
constexpr uint32_t kMaxBucketBits = 12;  // 4096 counters stay in the first-level cache

void insertion_sort(uint64_t* begin, uint64_t* end) noexcept {
  for (uint64_t* i = begin + 1; i < end; ++i) {
    const uint64_t value = *i;
    uint64_t* j = i;
    for (; j > begin && j[-1] > value; --j) *j = j[-1];
    *j = value;
  }
}

// One scatter by the top bits into about one value a bucket, then short insertion sorts. Values that share their top bits (they
// cannot come from a good hash) make long buckets, which std::sort takes.
void sort_by_top_bits(std::vector<uint64_t>& values, std::vector<uint64_t>& space) {
  const uint32_t bits = std::min<uint32_t>(kMaxBucketBits, static_cast<uint32_t>(std::bit_width(values.size())));
  const uint32_t shift = 64 - bits;
  std::array<uint32_t, (size_t{1} << kMaxBucketBits) + 1> end{};
  for (const uint64_t value : values) ++end[(value >> shift) + 1];
  const size_t buckets = size_t{1} << bits;
  for (size_t b = 1; b <= buckets; ++b) end[b] += end[b - 1];
  space.resize(values.size());
  for (const uint64_t value : values) space[end[value >> shift]++] = value;
  size_t begin = 0;
  for (size_t b = 0; b < buckets; ++b) {
    const size_t size = end[b] - begin;
    if (size > kSmall) {
      std::sort(space.begin() + static_cast<ptrdiff_t>(begin), space.begin() + end[b]);
    } else if (size > 1) {
      insertion_sort(space.data() + begin, space.data() + end[b]);
    }
    begin = end[b];
  }
  values.swap(space);
}

}  // namespace

void make_feature_set(std::vector<uint64_t>& features, std::vector<uint64_t>& space) {
  if (features.size() <= kSmall) {
    if (features.size() > 1) insertion_sort(features.data(), features.data() + features.size());
  } else {
    sort_by_top_bits(features, space);
  }
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

uint32_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  return count_common_at_least(a, b, 0);
}

uint32_t count_common_at_least(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t required) noexcept {
  // The steps are branch-free, because which side advances is a coin toss; the bound is looked at once per stretch.
  constexpr size_t kStretch = 64;
  size_t i = 0;
  size_t j = 0;
  uint32_t common = 0;
  while (i < a.size() && j < b.size()) {
    if (common + std::min(a.size() - i, b.size() - j) < required) return common;
    // kStretch steps cannot run off either end.
    const size_t safe = std::min(a.size() - i, b.size() - j);
    size_t steps = std::min(kStretch, safe);
    for (; steps > 0; --steps) {
      const uint64_t x = a[i];
      const uint64_t y = b[j];
      common += x == y;
      i += x <= y;
      j += y <= x;
    }
  }
  return common;
}

bool has_distinct(std::span<const uint64_t> values, uint32_t least) {
  if (least <= 1 || values.size() < least) return values.size() >= least;
  std::vector<uint64_t> seen;
  for (const uint64_t value : values) {
    const auto at = std::lower_bound(seen.begin(), seen.end(), value);
    if (at != seen.end() && *at == value) continue;
    seen.insert(at, value);
    if (seen.size() >= least) return true;
  }
  return false;
}

}  // namespace neardup
