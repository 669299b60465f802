#include "features/feature_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/kernels.h"

namespace neardup {
namespace {

constexpr size_t kSmallSet = 64;  // values that has_distinct() searches linearly
constexpr size_t kFew = 24;       // insertion sort alone is as fast below
constexpr size_t kMovesPerValue = 8;

void insertion_sort(std::span<uint64_t> values) noexcept {
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t value = values[i];
    size_t at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

// Turns the counts of a digit into the starts of its values.
template <size_t kDigits>
void begins_of(std::array<uint32_t, kDigits>& count) noexcept {
  uint32_t begin = 0;
  for (uint32_t& each : count) begin += std::exchange(each, begin);
}

// Two stable scatters by the top two digits, the lower one first, leave hashes almost sorted: neighbours out of order share both digits.
template <uint32_t kDigitBits>
void scatter(std::span<uint64_t> values, uint64_t* other) noexcept {
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  constexpr uint32_t kHigh = 64 - kDigitBits;
  constexpr uint32_t kLow = kHigh - kDigitBits;
  std::array<uint32_t, kDigits> high{};
  std::array<uint32_t, kDigits> low{};
  for (const uint64_t value : values) {
    ++high[value >> kHigh];
    ++low[(value >> kLow) % kDigits];
  }
  begins_of(high);
  begins_of(low);
  for (const uint64_t value : values) other[low[(value >> kLow) % kDigits]++] = value;
  for (size_t i = 0; i < values.size(); ++i) values[high[other[i] >> kHigh]++] = other[i];
}

// Sorts almost sorted values by insertion and drops repetitions on the way; returns how many are left. Requires at least one. Values that
// are not hashes may share both digits; std::sort takes over when too many have moved.
size_t finish_set(std::span<uint64_t> values) noexcept {
  const size_t max_moves = values.size() * kMovesPerValue;
  size_t moves = 0;
  size_t end = 1;  // of the set so far
  uint64_t largest = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t value = values[i];
    if (value >= largest) [[likely]] {
      values[end] = value;
      end += static_cast<size_t>(value != largest);
      largest = value;
      continue;
    }
    size_t at = end - 1;
    while (at > 0 && values[at - 1] > value) --at;
    moves += end - at;
    if (at == 0 || values[at - 1] != value) {
      std::copy_backward(values.data() + at, values.data() + end, values.data() + end + 1);
      values[at] = value;
      ++end;
    }
    if (moves > max_moves) {
      std::copy(values.data() + i + 1, values.data() + values.size(), values.data() + end);
      const auto all = values.first(end + values.size() - i - 1);
      std::ranges::sort(all);
      return static_cast<size_t>(std::ranges::unique(all).begin() - all.begin());
    }
  }
  return end;
}

// make_feature_set() of a part of a vector: returns how many values are left.
size_t make_set(std::span<uint64_t> values, RawVector<uint64_t>& space) {
  // Smaller digits leave more to the insertion; larger ones cost more than they sort.
  constexpr size_t kFewer = 160;
  constexpr size_t kMany = 1536;
  const size_t count = values.size();
  if (count <= kFew) {
    insertion_sort(values);
    return static_cast<size_t>(std::unique(values.begin(), values.end()) - values.begin());
  }
  if (space.size() < count) space.resize(count);
  if (count <= kFewer) {
    scatter<6>(values, space.data());
  } else if (count <= kMany) {
    scatter<7>(values, space.data());
  } else {
    scatter<8>(values, space.data());
  }
  return finish_set(values);
}

}  // namespace

void make_feature_set(RawVector<uint64_t>& features, RawVector<uint64_t>& space) {
  features.resize(make_set(features, space));
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

// The first value of a slot stays in it, and is kept. Values that find another one there are set aside: they are never in the table, so
// only they have to be sorted. Free of branches, because what a slot holds is unpredictable.
void drop_repetitions(RawVector<uint64_t>& features, RawVector<uint64_t>& space) {
  constexpr size_t kMaxSlots = size_t{1} << 16;  // 512 KiB; much longer lists are sorted in the end
  const size_t count = features.size();
  if (count <= kFew) {
    make_feature_set(features, space);
    return;
  }
  const size_t slots = std::min(std::bit_ceil(count * 2), kMaxSlots);
  const size_t slot_bits = slots - 1;
  if (space.size() < slots + count) space.resize(slots + count);
  uint64_t* const table = space.data();
  uint64_t* const aside = table + slots;
  // The slot of a value is its low bits: no value can equal what its slot begins with.
  std::fill_n(table, slots, 0);
  table[0] = 1;
  size_t kept = 0;
  size_t doubtful = 0;
  for (const uint64_t value : features) {
    uint64_t& slot = table[value & slot_bits];
    const uint64_t difference = slot ^ value;
    uint64_t taken = (difference & slot_bits) == 0;
    uint64_t another = difference != 0;
    asm("" : "+r"(taken), "+r"(another));  // or else the compiler branches
    slot = value ^ (difference & (0 - taken));
    features[kept] = value;
    kept += 1 - taken;
    aside[doubtful] = value;
    doubtful += taken & another;
  }
  std::copy_n(aside, doubtful, features.data() + kept);
  features.resize(kept + make_set({features.data() + kept, doubtful}, space));
}

namespace {

// Two sets that are scanned together.
struct Merge {
  const uint64_t* a;
  const uint64_t* a_end;
  const uint64_t* b;
  const uint64_t* b_end;

  // This many steps cannot pass either end, and at most this many values can be common.
  [[nodiscard]] size_t safe_steps() const noexcept { return static_cast<size_t>(std::min(a_end - a, b_end - b)); }
  // Returns by how many values both advanced. Free of branches, because which one advances is unpredictable: the compiler must not see that
  // the two conditions are related.
  uint64_t step() noexcept {
    uint64_t a_on = *a <= *b;
    uint64_t b_on = *b <= *a;
    asm("" : "+r"(a_on), "+r"(b_on));
    a += a_on;
    b += b_on;
    return a_on + b_on;
  }
  // Returns how many of the passed values are common. A single step is shortest when the compiler adds the value it compared with.
  size_t steps(size_t count) noexcept {
    size_t i = 0;
    size_t j = 0;
    size_t common = 0;
    for (; count > 0; --count) {
      const uint64_t x = a[i];
      const uint64_t y = b[j];
      common += static_cast<size_t>(x == y);
      i += static_cast<size_t>(x <= y);
      j += static_cast<size_t>(y <= x);
    }
    a += i;
    b += j;
    return common;
  }
};

// The position of `value`, or the one where it would be inserted. Requires at least one value.
const uint64_t* place_of(std::span<const uint64_t> set, uint64_t value) noexcept {
  const uint64_t* at = set.data();
  size_t count = set.size();
  while (count > 1) {
    const size_t half = count / 2;
    at += at[half - 1] < value ? half : 0;
    count -= half;
  }
  return at + (*at < value ? 1 : 0);
}

// A step waits for the one before it, so four parts of the sets are scanned at once, until one of them ends.
constexpr size_t kParts = 4;
using Parts = std::array<Merge, kParts>;

size_t max_common(const Parts& parts) noexcept {
  size_t steps = 0;
  for (const Merge& part : parts) steps += part.safe_steps();
  return steps;
}

size_t advance_parts(Parts& parts, uint64_t required) noexcept {
  constexpr size_t kStretch = 16;
  size_t common = 0;
  Merge first = parts[0];
  Merge second = parts[1];
  Merge third = parts[2];
  Merge fourth = parts[3];
  while (common + max_common(parts) >= required) {
    const size_t steps = std::min({kStretch, first.safe_steps(), second.safe_steps(), third.safe_steps(), fourth.safe_steps()});
    if (steps == 0) break;
    uint64_t on = 0;
    for (size_t i = 0; i < steps; ++i) on += first.step() + second.step() + third.step() + fourth.step();
    common += on - kParts * steps;
    parts = {first, second, third, fourth};
  }
  return common;
}

// Value by value.
uint64_t scan_sets(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t required) noexcept {
  constexpr size_t kStretch = 64;  // steps between checks of the bound
  constexpr size_t kWorthParts = 160;
  Parts parts{};
  size_t common = 0;
  if (std::min(a.size(), b.size()) >= kWorthParts) {
    const uint64_t* a_end = a.data();
    const uint64_t* b_end = b.data();
    for (size_t i = 0; i < kParts; ++i) {
      const bool last = i + 1 == kParts;
      const uint64_t* const a_begin = std::exchange(a_end, last ? a.data() + a.size() : a.data() + a.size() / kParts * (i + 1));
      const uint64_t* const b_begin = std::exchange(b_end, last ? b.data() + b.size() : place_of(b, *a_end));
      parts[i] = {a_begin, a_end, b_begin, b_end};
    }
    common = advance_parts(parts, required);
  } else {
    parts.back() = {a.data(), a.data() + a.size(), b.data(), b.data() + b.size()};
  }
  for (Merge& part : parts) {
    for (size_t steps = part.safe_steps(); steps > 0; steps = part.safe_steps()) {
      if (common + max_common(parts) < required) return common;
      common += part.steps(std::min(kStretch, steps));
    }
  }
  return common;
}

}  // namespace

uint32_t count_common_at_least(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t required) noexcept {
  kernels::SetScan sets{.a = a.data(), .a_end = a.data() + a.size(), .b = b.data(), .b_end = b.data() + b.size()};
  const auto scan_vectors = kernels::kernels().count_common;
  uint64_t common = scan_vectors == nullptr ? 0 : scan_vectors(sets, required);
  common += scan_sets({sets.a, sets.a_end}, {sets.b, sets.b_end}, required - std::min(common, required));
  return static_cast<uint32_t>(common);
}

uint32_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  return count_common_at_least(a, b, 0);
}

bool has_distinct(std::span<const uint64_t> values, uint32_t min_count) {
  if (min_count <= 1 || values.size() < min_count) return values.size() >= min_count;
  if (min_count > kSmallSet) {
    RawVector<uint64_t> all(values.begin(), values.end());
    RawVector<uint64_t> space;
    make_feature_set(all, space);
    return all.size() >= min_count;
  }
  std::vector<uint64_t> seen;
  for (const uint64_t value : values) {
    const auto at = std::lower_bound(seen.begin(), seen.end(), value);
    if (at != seen.end() && *at == value) continue;
    seen.insert(at, value);
    if (seen.size() >= min_count) return true;
  }
  return false;
}

}  // namespace neardup
