#include "sketch/simhash.h"

#include <algorithm>
#include <cstddef>

#include "base/hash.h"

namespace neardup {
namespace {

// The features as the kernels take them.
static_assert(sizeof(WeightedFeature) == 16 && offsetof(WeightedFeature, hash) == 0 && offsetof(WeightedFeature, weight) == 8);

uint64_t word_of(std::span<const uint64_t> features, bool second) noexcept {
  BitCounts counts;
  counts.add(features, second);
  const BitCounts::Majority majority = counts.majority();
  return majority.more | (majority.half & kSimhashTies);
}

uint64_t word_of(std::span<const WeightedFeature> features, bool second) noexcept {
  std::array<int64_t, 65> sums{};
  kernels::kernels().simhash_weigh(features.data(), features.size(), second, sums.data());
  uint64_t word = 0;
  for (uint32_t i = 0; i < 64; ++i) {
    const int64_t vote = sums[i] - (sums[64] - sums[i]);
    // Branch-free: the outcomes are random.
    word |= (uint64_t{vote > 0} | (uint64_t{vote == 0} & (kSimhashTies >> i & 1))) << i;
  }
  return word;
}

bool has_weight(std::span<const uint64_t> features) noexcept {
  return !features.empty();
}
bool has_weight(std::span<const WeightedFeature> features) noexcept {
  return std::any_of(features.begin(), features.end(), [](const WeightedFeature& feature) { return feature.weight != 0; });
}

template <typename Feature>
std::optional<Fingerprint64> simhash64_of(std::span<const Feature> features) noexcept {
  if (!has_weight(features)) return std::nullopt;
  return Fingerprint64{word_of(features, false)};
}

template <typename Feature>
std::optional<Fingerprint128> simhash128_of(std::span<const Feature> features) noexcept {
  if (!has_weight(features)) return std::nullopt;
  return Fingerprint128{word_of(features, true), word_of(features, false)};
}

}  // namespace

uint64_t simhash_second_word(uint64_t hash) noexcept {
  return mix64(hash + 0x9E3779B97F4A7C15u);
}

std::optional<Fingerprint64> simhash64(std::span<const uint64_t> features) noexcept {
  return simhash64_of(features);
}
std::optional<Fingerprint128> simhash128(std::span<const uint64_t> features) noexcept {
  return simhash128_of(features);
}
std::optional<Fingerprint64> simhash64(std::span<const WeightedFeature> features) noexcept {
  return simhash64_of(features);
}
std::optional<Fingerprint128> simhash128(std::span<const WeightedFeature> features) noexcept {
  return simhash128_of(features);
}

std::optional<Fingerprint128> simhash_reference(std::span<const WeightedFeature> features) noexcept {
  if (!has_weight(features)) return std::nullopt;
  Fingerprint128 fingerprint;
  for (uint32_t bit = 0; bit < 128; ++bit) {
    int64_t vote = 0;
    for (const WeightedFeature& feature : features) {
      const uint64_t word = bit < 64 ? feature.hash : simhash_second_word(feature.hash);
      vote += (word >> (bit % 64) & 1) != 0 ? int64_t{feature.weight} : -int64_t{feature.weight};
    }
    const bool one = vote > 0 || (vote == 0 && bit % 2 == 1);
    (bit < 64 ? fingerprint.low : fingerprint.high) |= uint64_t{one} << (bit % 64);
  }
  return fingerprint;
}

void BitCounts::add(std::span<const uint64_t> words, bool second) noexcept {
  kernels::kernels().simhash_count(words.data(), words.size(), second, levels_.data());
  added_ += words.size();
}

BitCounts::Majority BitCounts::majority() const noexcept {
  // count > added / 2 is count > floor(added / 2); compared for all bits at once, from the highest level down.
  const uint64_t half = added_ / 2;
  uint64_t more = 0;
  uint64_t equal = ~uint64_t{0};
  for (size_t l = levels_.size(); l-- > 0;) {
    const uint64_t wanted = (half >> l & 1) != 0 ? ~uint64_t{0} : 0;
    more |= equal & levels_[l] & ~wanted;
    equal &= ~(levels_[l] ^ wanted);
  }
  return {more, added_ % 2 == 0 ? equal : 0};
}

}  // namespace neardup
