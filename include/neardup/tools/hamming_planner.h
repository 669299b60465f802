// plan_hamming: the plan of a Hamming index, chosen from the number of codes and what their bits are like.
//
//   const auto statistics = neardup::hamming_statistics(std::span<const neardup::Fingerprint64>(codes));
//   const neardup::HammingPlan plan = neardup::plan_hamming(statistics, 3, {});
//
// The same statistics, radius and budget give the same plan on every machine: nothing is measured, and all sums are made of additions,
// multiplications and divisions of doubles in a fixed order. Every plan finds everything (hamming_plan.h); this one is for speed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

/// How often each bit is set, and how often two bits differ, in a sample of the codes: which bits tell codes apart, and which say the same.
struct HammingStatistics {
  uint32_t bits = 64;
  uint64_t entries = 0;          ///< codes with an id, equal ones counted each
  uint64_t distinct = 0;         ///< different codes among them: estimated from the sample, exact when that is everything
  uint32_t sampled = 0;          ///< different codes looked at; 0: bits are taken as even and independent
  std::vector<uint32_t> ones;    ///< one a bit: how many of the sampled codes have it; empty when sampled is 0
  std::vector<uint32_t> differ;  ///< bits * bits: in how many of them the two bits differ

  /// Of codes whose bits are all even and independent, as a good hash makes them. `bits` is 64 or 128.
  static HammingStatistics uniform(uint32_t bits, uint64_t entries);
};

/// At most this many codes, evenly spaced, are looked at.
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

/// What is to be fast.
enum class HammingUse {
  kQuery,     ///< one query
  kSelfJoin,  ///< all pairs once, and the building before it
};

struct HammingPlanBudget {
  HammingUse use = HammingUse::kQuery;
  double bytes_per_code = 0;  ///< of the whole index, ids included; 0: 30 for 64 bits, 100 for 128
};

/// Below this many codes a comparison with all of them is a matter of a microsecond: no tables.
inline constexpr uint64_t kHammingFlat = 2048;

/// The plan whose predicted work is the least, of those within the budget; without blocks where comparing with every code is the least, or
/// all that the budget allows. Requires statistics.bits 64 or 128, radius <= bits. Takes tenths of a millisecond for
/// uniform codes, and milliseconds, with 128 bits and large radii tens of them, for skewed ones.
HammingPlan plan_hamming(const HammingStatistics& statistics, uint32_t radius, const HammingPlanBudget& budget);

}  // namespace neardup
