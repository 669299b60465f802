// predict_run(): memory, disk, time and false candidates of a MinHash run over N documents, before it runs.
//
//   const neardup::RunPlan plan = neardup::plan_run(options);
//   const auto speed = neardup::RunSpeed::measured(plan.recipe, 1000);
//   const neardup::RunPrediction costs = neardup::predict_run(options, plan, {.documents = 1'000'000'000, .text_bytes = 1000}, speed);
//
// The formulas count what a run stores for each document, with ids of 16 bytes; docs/parameters.md compares them with measured runs. What
// weights of features cost (Options::weighs_features) is not in them.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/plan.h"

namespace neardup {

/// The cost of operations on one core of this machine.
struct RunSpeed {
  double sketch_ns = 0;    ///< a text to its signature
  double features_ns = 0;  ///< a text to its features, which are read again for candidates
  double features = 0;     ///< distinct features of such a text
  double key_ns = 0;       ///< a band key, sorted among others

  /// Measures a recipe on made-up English text of this size, in less than a second. Throws what Sketcher throws.
  static RunSpeed measured(const Recipe& recipe, uint64_t text_bytes);
};

struct RunCorpus {
  uint64_t documents = 0;
  uint64_t text_bytes = 1000;  ///< of a document, on average
};

struct RunPrediction {
  uint64_t memory_bytes = 0;      ///< private memory at the peak
  uint64_t temporary_bytes = 0;   ///< at most, if every document has candidates
  uint64_t checkpoint_bytes = 0;  ///< the same, of --work, without the record
  uint64_t record_bytes = 0;      ///< of --work: the record for neardup explain and report, with ids of 16 bytes
  double sketch_seconds = 0;
  double group_seconds = 0;
  double features_seconds = 0;    ///< at most, if every document has candidates
  double disk_seconds = 0;        ///< the same, of temporary files, on a disk that reads and writes 10^9 bytes a second
  double checkpoint_seconds = 0;  ///< at most, of --work: writing both, which is not in seconds()
  [[nodiscard]] double seconds() const noexcept { return sketch_seconds + group_seconds + features_seconds + disk_seconds; }

  /// What the bands propose if any two documents have this similarity: pairs that are not duplicates.
  struct FalseCandidates {
    double similarity = 0;
    double proposed = 0;  ///< pairs that share a band
    double read = 0;      ///< of these, pairs that pass the signature filter: their texts are read again
  };
  std::vector<FalseCandidates> false_candidates;
};

/// Requires a plan with bands.
RunPrediction predict_run(const Options& options, const RunPlan& plan, const RunCorpus& corpus, const RunSpeed& speed);

/// The 95 % interval of an estimate of similarity `s` from so many permutations: s - 1.96 d to s + 1.96 d with d = sqrt(s (1 - s) / n), the
/// normal approximation of the binomial distribution, within 0 and 1.
struct EstimateInterval {
  double low = 0;
  double high = 1;
};
EstimateInterval estimate_interval(double s, uint32_t permutations) noexcept;

}  // namespace neardup
