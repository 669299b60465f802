// RemovalTally: counts removals by their similarity to the keeper, and keeps the least similar ones.
//
// Similarities are compared as fractions of integers, so that no result depends on rounding. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/candidates/pair_strategy.h"
#include "index/lsh/lsh_plan.h"
#include "neardup/options.h"
#include "neardup/tools/summary.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// How the overlaps of a run's removals are measured.
struct RemovalMeasure {
  Threshold threshold = Threshold::from_millionths(Threshold::kOne);
  uint32_t bits = 0;  ///< not 0: fingerprints of this many bits are judged by their distance; `threshold` has no effect
  uint32_t max_distance = 0;
  bool containment = false;  ///< overlaps are of the removed document (a) and its keeper, and measured by the share of the first
  LshPlan estimate{};        ///< bands != 0: nothing is verified; overlaps count shared bands

  [[nodiscard]] double similarity(const Overlap& overlap) const;
  /// The number that the common features are a share of, unless `estimate` counts.
  [[nodiscard]] uint64_t whole(const Overlap& overlap) const noexcept { return containment ? overlap.size_a : overlap.union_size(); }
  /// Requires bits != 0.
  [[nodiscard]] uint32_t distance(const Overlap& overlap) const noexcept { return bits - overlap.common; }
  /// Strict weak order.
  [[nodiscard]] bool less_similar(const Overlap& a, const Overlap& b) const noexcept;
};

/// Of a run.
RemovalMeasure removal_measure(const Options& options, const PairStrategy& strategy);

class RemovalTally {
 public:
  static constexpr size_t kLeast = 3;
  struct Removed {
    uint32_t document;
    Overlap overlap;
  };

  explicit RemovalTally(const RemovalMeasure& measure);

  /// Counts a removed document that is not an exact copy of its keeper.
  void count(const Overlap& overlap);
  /// Keeps it if it is one of the least similar ones. Call it in document order.
  void consider(uint32_t document, const Overlap& overlap);

  /// From the most similar to the least similar. The range beyond the threshold or the distance comes last, unless nothing is in it. Empty:
  /// nothing was counted.
  [[nodiscard]] std::vector<RemovalBand> bands() const;
  /// The least similar first, then in document order.
  [[nodiscard]] std::span<const Removed> least() const noexcept { return least_; }

 private:
  RemovalMeasure measure_;
  std::vector<RemovalBand> bands_;     // the last one is beyond the threshold or the distance
  std::vector<uint32_t> shared_from_;  // of estimates: the least number of shared bands of each range
  std::vector<Removed> least_;
};

}  // namespace neardup
