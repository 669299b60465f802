// HammingStatistics: statistics of the bits of a sample of codes, from which plan_hamming() chooses a plan (hamming_plan.h).
//
// The same codes give the same numbers on every machine. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup {

/// How often each bit is set, and how often two bits differ, in a sample of the codes: which bits distinguish codes, and which are
/// correlated.
struct HammingStatistics {
  uint32_t bits = 64;
  uint64_t entries = 0;          ///< codes with an id, equal ones counted each
  uint64_t distinct = 0;         ///< different codes among them: estimated from the sample, exact when that is everything
  uint32_t sampled = 0;          ///< different codes looked at; 0: bits are taken as even and independent
  std::vector<uint32_t> ones;    ///< per bit: the number of sampled codes with it; empty when sampled is 0
  std::vector<uint32_t> differ;  ///< bits * bits: in how many of them the two bits differ

  /// Of codes whose bits are all even and independent, as a good hash makes them. `bits` is 64 or 128.
  static HammingStatistics uniform(uint32_t bits, uint64_t entries);
};

/// The maximum sample size; codes are evenly spaced.
inline constexpr uint32_t kHammingSample = 65'536;

/// Of the codes at places i * n / sample. Equal codes in the sample count once.
template <typename Code>  // Fingerprint64 or Fingerprint128
HammingStatistics hamming_statistics(std::span<const Code> codes);
/// The same, of a sample that the caller took, out of `entries` codes.
template <typename Code>
HammingStatistics hamming_statistics(std::vector<Code> sample, uint64_t entries);

extern template HammingStatistics hamming_statistics(std::span<const Fingerprint64>);
extern template HammingStatistics hamming_statistics(std::span<const Fingerprint128>);
extern template HammingStatistics hamming_statistics(std::vector<Fingerprint64>, uint64_t);
extern template HammingStatistics hamming_statistics(std::vector<Fingerprint128>, uint64_t);

}  // namespace neardup
