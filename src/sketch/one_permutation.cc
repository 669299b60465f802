#include "sketch/one_permutation.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/limits.h"
#include "kernels/kernels.h"
#include "sketch/minhash.h"

namespace neardup {
namespace {

constexpr uint64_t kEmptyBin = uint64_t{1} << 32;  // above every value
constexpr uint64_t kKeyWord = uint64_t{1} << 32;   // which output of SplitMix64 is the key; those from 0 are for the lanes

}  // namespace

OnePermutationHasher::OnePermutationHasher(uint32_t lanes, uint64_t seed)
    : lanes_(lanes), key_(splitmix64(seed, kKeyWord)), offsets_(padded_minhash_offsets(lanes, seed)) {}

void OnePermutationHasher::sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept {
  std::array<uint64_t, limits::kMaxLanes> least;  // value of every bin
  std::fill_n(least.begin(), lanes_, kEmptyBin);
  for (const uint64_t feature : features) {
    const uint64_t hash = mix64(feature ^ key_);
    uint64_t& value = least[(hash & 0xFFFF'FFFFu) * lanes_ >> 32];
    value = std::min(value, hash >> 32);
  }
  uint32_t empty = 0;
  for (uint32_t bin = 0; bin < lanes_; ++bin) empty += static_cast<uint32_t>(least[bin] >> 32);

  if (empty > lanes_ / 2) {  // the lanes of all bins take hardly longer than gathering those of the empty ones
    std::array<uint32_t, limits::kMaxLanes> minima;
    std::fill_n(minima.begin(), offsets_.size(), ~0u);
    kernels::kernels().minhash_update(features.data(), features.size(), offsets_.data(), minima.data(), offsets_.size());
    for (uint32_t bin = 0; bin < lanes_; ++bin) {
      const auto mask = static_cast<uint32_t>(0 - (least[bin] >> 32));  // all ones if it is empty, and the lower half is 0: no jump
      signature[bin] = static_cast<uint32_t>(least[bin]) | (minima[bin] & mask);
    }
    return;
  }
  for (uint32_t bin = 0; bin < lanes_; ++bin) signature[bin] = static_cast<uint32_t>(least[bin]);
  if (empty > 0) fill(features, least.data(), empty, signature);
}

void OnePermutationHasher::fill(std::span<const uint64_t> features, const uint64_t* least, uint32_t empty,
                                std::span<uint32_t> signature) const noexcept {
  std::array<uint16_t, limits::kMaxLanes> bins;  // the empty ones
  for (uint32_t bin = 0, count = 0; count < empty; ++bin) {
    bins[count] = static_cast<uint16_t>(bin);
    count += static_cast<uint32_t>(least[bin] >> 32);
  }
  std::array<uint32_t, limits::kMaxLanes> offsets;
  std::array<uint32_t, limits::kMaxLanes> minima;
  for (uint32_t i = 0; i < empty; ++i) offsets[i] = offsets_[bins[i]];
  const size_t count = (empty + kernels::kLaneGroup - 1) / kernels::kLaneGroup * kernels::kLaneGroup;
  std::fill(offsets.data() + empty, offsets.data() + count, 0u);
  std::fill_n(minima.begin(), count, ~0u);
  kernels::kernels().minhash_update(features.data(), features.size(), offsets.data(), minima.data(), count);
  for (uint32_t i = 0; i < empty; ++i) signature[bins[i]] = minima[i];
}

void one_permutation_reference(std::span<const uint64_t> features, uint64_t seed, std::span<uint32_t> signature) noexcept {
  minhash_reference(features, seed, signature);  // which stays where a bin is empty
  const uint64_t lanes = signature.size();
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    bool is_empty = true;
    for (const uint64_t feature : features) {
      const uint64_t hash = mix64(feature ^ splitmix64(seed, kKeyWord));
      const uint64_t bin = hash % (uint64_t{1} << 32) * lanes / (uint64_t{1} << 32);
      const auto value = static_cast<uint32_t>(hash / (uint64_t{1} << 32));
      if (bin != lane) continue;
      signature[lane] = is_empty ? value : std::min(signature[lane], value);
      is_empty = false;
    }
  }
}

}  // namespace neardup
