// build_hamming_image: writes the image of an index (see hamming_image.h) front to back.
//
// Every table sweeps over the codes once or, when its entries do not fit in the memory, several times (see key_sweep.h), so codes and ids
// may be mapped files. Table 0 also sorts the ids; they wait in memory, or in a temporary file when the memory is bounded. The bytes depend
// on the codes, ids and plan only: not on the order of the entries, threads or memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/byte_sink.h"
#include "neardup/fingerprint.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

enum class HammingIds {
  kRows,   ///< the places in `codes`
  kGiven,  ///< one id per code
  kNone,   ///< distinct codes, without ids: a nested image
};

struct HammingBuildRun {
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;  ///< 0: unbounded. For everything but the codes and ids; a plan without blocks ignores it
  std::string temp_dir;       ///< see temp_folder(); used when the memory is bounded
};

/// Requires hamming_plan_problem(plan) to be empty, the plan to have the bits of Code, and ids.size() == codes.size() under kGiven.
template <typename Code>
void build_hamming_image(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan,
                         const HammingBuildRun& run, ByteSink& sink);

extern template void build_hamming_image<Fingerprint64>(std::span<const Fingerprint64>, HammingIds, std::span<const uint64_t>,
                                                        const HammingPlan&, const HammingBuildRun&, ByteSink&);
extern template void build_hamming_image<Fingerprint128>(std::span<const Fingerprint128>, HammingIds, std::span<const uint64_t>,
                                                         const HammingPlan&, const HammingBuildRun&, ByteSink&);

}  // namespace neardup
