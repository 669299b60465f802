// Matcher: decides whether a candidate pair matches. The only place that does.
//
// Immutable; shared by threads. A pair is comparable if at least one of the two is not decided (of the reference corpus, or of an earlier
// slice), and their sketches agree (PairRule). The Judge then chooses the measure: the Jaccard similarity of the features, with weights or
// without, or their cosine, at or above the threshold; or the Hamming distance of the fingerprints, which is already checked.
//
// All measures are returned as an Overlap whose jaccard() is the similarity: of fingerprints it is the share of equal bits; of weighted
// features, in millionths, rounded down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/corpus/feature_store.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/match/candidates/pair_strategy.h"
#include "features/feature_set.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// A similarity is just below the threshold when it is lower by less than this, in millionths.
inline constexpr uint32_t kJustBelow = 100'000;

/// The data that pairs are judged by. Not owned.
struct MatcherInputs {
  const DocumentTable& table;
  const Candidates& candidates;
  const FeatureStore& features;  ///< empty under Judge::kHamming
  const FeatureStore& weights;   ///< of the features, in their order; empty unless PairStrategy::weighted()
  const PairStrategy& strategy;
  Threshold threshold;
};

class Matcher {
 public:
  struct Scratch {
    // For what is read from the spill file.
    RecentSets a{1, std::numeric_limits<size_t>::max()};  // a member is compared with many in a row
    RecentSets b{256, 16u << 10};
    std::vector<uint64_t> weights_a, weights_b;
    uint64_t verifications = 0;
    bool just_below = false;  ///< set by a pair that does not match, but is just below the threshold; never cleared
  };

  explicit Matcher(const MatcherInputs& inputs)
      : table_(inputs.table),
        candidates_(inputs.candidates),
        features_(inputs.features),
        weights_(inputs.weights),
        rule_(inputs.strategy.rule),
        judge_(inputs.strategy.judge),
        threshold_(inputs.threshold),
        just_below_(inputs.threshold.millionths() > kJustBelow ? Threshold::from_millionths(inputs.threshold.millionths() - kJustBelow)
                                                               : inputs.threshold) {}

  [[nodiscard]] bool comparable(uint32_t a, uint32_t b) const noexcept {
    if (decided(a) && decided(b)) return false;
    return rule_.all_pairs() || rule_.agree(candidates_, a, b);
  }
  /// The same for two that share a band, where the search finds only such pairs.
  [[nodiscard]] bool sharing_comparable(uint32_t a, uint32_t b) const noexcept {
    return !(decided(a) && decided(b)) && rule_.sharing_agree(candidates_, a, b);
  }
  /// The overlap if the pair matches. Requires a pair that is comparable.
  [[nodiscard]] std::optional<Overlap> match(uint32_t a, uint32_t b, Scratch& scratch) const {
    if (judge_ == Judge::kJaccard) {
      if (!sizes_allow(features_.size(a), features_.size(b))) return std::nullopt;
      return match(scratch.a.get(features_, a), b, scratch);
    }
    ++scratch.verifications;
    const Overlap measured = overlap(a, b, scratch);
    return met_by(measured) ? std::optional(measured) : std::nullopt;
  }
  /// The same with the features of `a` given (not of scratch.b). Requires Judge::kJaccard.
  [[nodiscard]] std::optional<Overlap> match(std::span<const uint64_t> features_a, uint32_t b, Scratch& scratch) const {
    Overlap overlap{.common = 0, .size_a = static_cast<uint32_t>(features_a.size()), .size_b = features_.size(b)};
    if (!sizes_allow(overlap.size_a, overlap.size_b)) return std::nullopt;
    ++scratch.verifications;
    overlap.common =
        count_common_at_least(features_a, scratch.b.get(features_, b), just_below_.required_overlap(overlap.size_a, overlap.size_b));
    if (threshold_.met_by(overlap)) return overlap;
    scratch.just_below |= just_below_.met_by(overlap);
    return std::nullopt;
  }
  /// The overlap, match or not.
  [[nodiscard]] Overlap overlap(uint32_t a, uint32_t b, Scratch& scratch) const;
  /// True if a result of overlap() is a match.
  [[nodiscard]] bool met_by(const Overlap& overlap) const noexcept {
    if (judge_ == Judge::kHamming) return rule_.bits - overlap.common <= rule_.max_distance;
    return threshold_.met_by(overlap);
  }

 private:
  [[nodiscard]] bool decided(uint32_t ordinal) const noexcept { return table_.decided(candidates_.documents[ordinal]); }
  // Sets of too different sizes cannot reach the threshold, whatever they share.
  [[nodiscard]] bool sizes_allow(uint32_t a, uint32_t b) const noexcept { return threshold_.required_overlap(a, b) <= std::min(a, b); }

  const DocumentTable& table_;
  const Candidates& candidates_;
  const FeatureStore& features_;
  const FeatureStore& weights_;
  const PairRule rule_;
  const Judge judge_;
  const Threshold threshold_;
  const Threshold just_below_;
};

}  // namespace neardup
