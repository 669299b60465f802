// MissedPairsEstimator: estimates how many pairs a search by bands missed, from the pairs that it found.
//
//   const neardup::MissedPairs missed = neardup::estimate_missed(found, plan.bands, plan.rows_per_band);
//   std::printf("%.0f pairs missed (95 %%: %.0f to %.0f)\n", missed.pairs, missed.low, missed.high);
//
// A found pair with Jaccard similarity s was found with probability p = 1 - (1 - s^rows)^bands, so it represents (1 - p) / p missed pairs
// of the same similarity (Horvitz and Thompson 1952), but of a million at most. Pairs that share a document are found or missed together,
// and so are pairs of its copies and near copies: the interval takes them as fully correlated (docs/adr/0035-missed-pairs.md). With
// binomial bounds the truth would be outside most of the time where many pairs are missed.
//
// Implemented in src/jobs/evaluate/missed_pairs.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace neardup {

/// A pair that the search found and verified: two documents by any number of the caller's, and their exact Jaccard similarity, in (0, 1].
struct FoundPair {
  uint64_t a = 0;
  uint64_t b = 0;
  double similarity = 0;
};

struct MissedPairs {
  uint64_t found = 0;  ///< pairs given
  double pairs = 0;    ///< missed pairs, estimated
  double low = 0;      ///< with `high`, an interval that holds the number of missed pairs of this run with a confidence of 95 %
  double high = 0;

  /// The share of all pairs that was found; 1 without pairs.
  [[nodiscard]] double recall() const noexcept {
    return found == 0 ? 1 : static_cast<double>(found) / (static_cast<double>(found) + pairs);
  }
};

/// Takes the found pairs one by one. Memory grows with the number of documents, not of pairs. Pairs may come in any order: the order
/// changes the result only by rounding. For one thread.
class MissedPairsEstimator {
 public:
  /// Of a search with `bands` bands of `rows_per_band` rows (Summary::bands, RunPlan::bands); 0 bands: an exact search, which misses
  /// nothing.
  MissedPairsEstimator(uint32_t bands, uint32_t rows_per_band);
  ~MissedPairsEstimator();

  void add(const FoundPair& pair);
  [[nodiscard]] MissedPairs estimate() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All pairs at once. Of removed documents with their keepers instead of all pairs it estimates how many documents were kept because the
/// search missed their keeper; too many where another kept document would have removed them, too.
MissedPairs estimate_missed(std::span<const FoundPair> found, uint32_t bands, uint32_t rows_per_band);

}  // namespace neardup
