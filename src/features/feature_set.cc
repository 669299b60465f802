#include "features/feature_set.h"

#include <algorithm>
#include <array>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kSmall = 64;  // insertion sort alone is as fast below
constexpr uint32_t kDigitBits = 8;
constexpr size_t kDigits = size_t{1} << kDigitBits;
constexpr size_t kMovesPerValue = 8;

// Returns false, with the values in some other order, once it has moved more than `most` values.
bool insertion_sort(std::span<uint64_t> values, size_t most) noexcept {
  size_t moves = 0;
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t value = values[i];
    size_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
    moves += i - at;
    if (moves > most) return false;
  }
  return true;
}

void scatter(std::span<const uint64_t> from, std::span<uint64_t> to, uint32_t shift, std::array<uint32_t, kDigits>& count) noexcept {
  uint32_t begin = 0;
  for (uint32_t& each : count) begin += std::exchange(each, begin);
  for (const uint64_t value : from) to[count[(value >> shift) % kDigits]++] = value;
}

// Two stable scatters by the top 16 bits, least digit first, leave hashes almost sorted: neighbours out of order share these bits. An
// insertion sort does the rest. Values that are no hashes may share them all; then std::sort takes over.
void sort_hashes(RawVector<uint64_t>& values, RawVector<uint64_t>& space) {
  constexpr uint32_t kHigh = 64 - kDigitBits;
  constexpr uint32_t kLow = kHigh - kDigitBits;
  std::array<uint32_t, kDigits> high{};
  std::array<uint32_t, kDigits> low{};
  for (const uint64_t value : values) {
    ++high[value >> kHigh];
    ++low[(value >> kLow) % kDigits];
  }
  if (space.size() < values.size()) space.resize(values.size());
  const std::span<uint64_t> other(space.data(), values.size());
  scatter(values, other, kLow, low);
  scatter(other, values, kHigh, high);
  if (!insertion_sort(values, values.size() * kMovesPerValue)) std::sort(values.begin(), values.end());
}

}  // namespace

void make_feature_set(RawVector<uint64_t>& features, RawVector<uint64_t>& space) {
  if (features.size() <= kSmall) {
    insertion_sort(features, kSmall * kSmall);
  } else {
    sort_hashes(features, space);
  }
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

void drop_most_repetitions(RawVector<uint64_t>& features) {
  constexpr size_t kSlots = 4096;            // of the values seen last; fits the first-level cache
  if (features.size() < kSlots / 4) return;  // emptying the table would cost more
  std::array<uint64_t, kSlots> seen;
  // An empty slot must not look like its value: slot 0 starts with a value of slot 1, all others with one of slot 0.
  seen.fill(0);
  seen[0] = 1;
  size_t kept = 0;
  for (const uint64_t value : features) {
    uint64_t& slot = seen[value % kSlots];
    features[kept] = value;
    kept += slot != value;
    slot = value;
  }
  features.resize(kept);
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
  if (least > kSmall) {
    RawVector<uint64_t> all(values.begin(), values.end());
    RawVector<uint64_t> space;
    make_feature_set(all, space);
    return all.size() >= least;
  }
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
