// SimHash (Charikar 2002): similar sets of weighted features get fingerprints that differ in few bits. For random features two
// fingerprints differ in a bit with probability angle / pi, where the cosine of the angle is that of the weight vectors.
//
// simhash_v1, as docs/simhash.md defines: bit i of a feature is bit i of its word 0, its 64-bit hash; bit 64 + i is bit i of its word 1,
// mix64(hash + 0x9E3779B97F4A7C15). The vote of bit i is the sum of the weights of the features that have it minus the sum of the others';
// the bit is 1 if the vote is positive, 0 if it is negative, and i mod 2 if it is a tie: always 0 would make short texts alike.
// Sums are exact, in 64 bits: at most 2^31 features. A set without features, or in which all weights are 0, has no fingerprint.
//
// Pure functions; no allocation; noexcept. The fast ones count in kernels; simhash_reference is the slow twin of all.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/kernels.h"
#include "neardup/fingerprint.h"

namespace neardup {

/// Bits that win ties: those with odd numbers.
inline constexpr uint64_t kSimhashTies = 0xAAAA'AAAA'AAAA'AAAAu;
inline constexpr uint64_t kMaxSimhashFeatures = uint64_t{1} << 31;

/// Word 1 of a feature.
uint64_t simhash_second_word(uint64_t hash) noexcept;

/// All weights 1. Features that repeat count again; a set has none that do. Requires features.size() <= kMaxSimhashFeatures.
std::optional<Fingerprint64> simhash64(std::span<const uint64_t> features) noexcept;
std::optional<Fingerprint128> simhash128(std::span<const uint64_t> features) noexcept;

/// With weights, which may be negative or 0. Requires features.size() <= kMaxSimhashFeatures.
std::optional<Fingerprint64> simhash64(std::span<const WeightedFeature> features) noexcept;
std::optional<Fingerprint128> simhash128(std::span<const WeightedFeature> features) noexcept;

/// The definition, bit by bit. simhash64 is its low half.
std::optional<Fingerprint128> simhash_reference(std::span<const WeightedFeature> features) noexcept;

/// Counts for each bit the added words that have it, to make a fingerprint piece by piece. Not thread-safe.
class BitCounts {
 public:
  /// At most 2^40 - 1 words in all.
  void add(std::span<const uint64_t> words, bool second = false) noexcept;
  [[nodiscard]] uint64_t added() const noexcept { return added_; }
  /// The bits that more than half of the words have; and those that half of them have.
  struct Majority {
    uint64_t more;
    uint64_t half;
  };
  [[nodiscard]] Majority majority() const noexcept;

 private:
  uint64_t added_ = 0;
  std::array<uint64_t, kernels::kCountLevels> levels_{};  // bit-sliced, see kernels.h
};

}  // namespace neardup
