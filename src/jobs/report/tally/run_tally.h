// RunTally: everything that a report counts and chooses from the rows of a run, in two passes over them.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/report/tally/chosen_removals.h"
#include "jobs/report/tally/removal_histogram.h"
#include "jobs/report/tally/source_tally.h"
#include "neardup/document.h"
#include "neardup/stop.h"
#include "neardup/tools/missed_pairs.h"
#include "neardup/tools/run_record.h"

namespace neardup {

struct TallyLimits {
  size_t least_similar = 20;
  size_t clusters = 10;
  size_t members = 5;       ///< of each
  size_t documents = 1000;  ///< sampled for shared passages
  size_t removals = 200;    ///< sampled for what passages change
};

struct RunTally {
  /// `bits` of fingerprints that were judged by their distance, or 0; bands of the search whose missed pairs are estimated, or 0.
  RunTally(uint32_t source_count, uint32_t bits, uint32_t bands, uint32_t rows_per_band, const TallyLimits& limits = {});

  /// Throws Error{kStopped}, and Error{kInput} for a damaged record.
  void read(const RunRecord& record, const StopFunction& stop);

  SourceTally sources;
  RemovalHistogram histogram;
  ClusterTally cluster_sizes;
  LeastSimilar least_similar;
  RowSample documents;  ///< without exact copies, which only repeat their keepers
  RowSample removals;   ///< the same
  MissedPairsEstimator missed;
  std::vector<LargestClusters::Cluster> clusters;
  std::vector<std::vector<ReportRow>> members;  ///< of each of these

 private:
  const TallyLimits limits_;
};

}  // namespace neardup
