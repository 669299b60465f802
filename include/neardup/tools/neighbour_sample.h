// for_each_neighbour(): the exact truth for a sample of the documents of a corpus: all documents that match one of them.
//
// NeighbourScorer: the decisions of a run against it.
//
// Two passes: one draws the sample and keeps its features in memory, one compares every document with it through an index of the rarest
// features (prefix filter), which misses nothing. Memory grows with the features of the sample only. Both give the same result for any
// number of threads.
//
// Implemented in src/jobs/evaluate/neighbour_sample.cc and neighbour_scorer.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "neardup/document.h"
#include "neardup/options.h"
#include "neardup/tools/evaluate.h"
#include "neardup/tools/run_hooks.h"

namespace neardup {

struct NeighbourRun : RunHooks {
  uint32_t sample = 1000;          ///< number of documents, at least 1; fewer if the corpus has fewer
  uint64_t seed = 1;               ///< which ones
  uint32_t reference_sources = 0;  ///< the first sources, which take no part
};

struct Neighbour {
  uint32_t sampled = 0;  ///< its number in the sample
  DocumentId of;         ///< its place
  DocumentId other;      ///< never the same document
  uint32_t similarity_millionths = 0;
};

/// Visits the pairs of a sampled document and any other one that match under `options`, ordered by the place of the other one; a pair of
/// two sampled documents twice. Returns the places of the sample, which number it. Throws Error{kUsage} unless two texts match by the
/// Jaccard similarity of a MinHash recipe (Options::measure, verify, also, search), and what reading throws.
std::vector<DocumentId> for_each_neighbour(const Options& options, const NeighbourRun& run,
                                           const std::function<void(const Neighbour&)>& visit);

/// A number with the interval that holds it with a confidence of 95 %.
struct Estimated {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct NeighbourScores {
  uint64_t documents = 0;
  uint64_t sampled = 0;
  /// Pairs of a sampled document with any other: right and found if both are in one cluster of the run, true if they match.
  PairCounts pairs;
  std::vector<BandScore> bands;  ///< truth only
  uint64_t kept_with_match = 0;  ///< sampled documents that were kept although another kept document matches them
  Estimated duplicates_left;     ///< of these, in the whole corpus
  /// Pairs of kept documents that match, in the whole corpus: the pairs that the run missed. The interval is that of a mean over sampled
  /// documents, so pairs that share a document count together.
  Estimated missed_pairs;
};

/// `table` outlives it.
class NeighbourScorer {
 public:
  explicit NeighbourScorer(const DecisionTable& table) : table_(table) {}

  void add(const Neighbour& neighbour);
  /// `sample`: what for_each_neighbour() returned.
  [[nodiscard]] NeighbourScores result(const std::vector<DocumentId>& sample) const;

 private:
  const DecisionTable& table_;
  std::vector<uint64_t> missed_;  // by number in the sample
  PairCounts pairs_;
  BandCounts bands_;
};

}  // namespace neardup
