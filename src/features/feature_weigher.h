// FeatureWeigher: the weights of the features of a MinHash recipe, in integers: occurrences in the text times the IDF in the corpus.
//
// The table is of that corpus, and leaves out features that are in one document only (kMinFrequency), which most are: a feature that it
// does not have is in one. docs/weights.md defines the IDF.
//
// Immutable, shared by threads; the table is not owned. Total, but for Error{kInput} if the file of the table shrank since it was opened.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/document_frequency.h"
#include "features/weighting.h"

namespace neardup {

class FeatureWeigher {
 public:
  static constexpr uint32_t kMinFrequency = 2;  ///< of the tables

  /// The number of documents is at least 1.
  explicit FeatureWeigher(const DocumentFrequencyTable& table);

  /// Replaces `out` by features sorted by hash, no hash twice, with weights of 1 to kMaxWeight. `occurrences`: with repetitions.
  void weigh(std::span<const uint64_t> occurrences, Weighter::Scratch& scratch, std::vector<WeightedFeature>& out) const;

 private:
  const DocumentFrequencyTable& table_;
  const int32_t rarest_;  // the IDF of a feature of one document
};

}  // namespace neardup
