// PairStrategy: how a run finds and judges pairs; follows from options and recipes.
//
// Immutable; shared by threads.
#pragma once

#include <cstdint>

#include "dedup/match/candidates/candidates.h"
#include "index/lsh/lsh_plan.h"
#include "index/lsh/signature_filter.h"
#include "index/prefix/containment_rule.h"
#include "index/prefix/containment_sample.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// Which pairs of sketches are candidates: by an LSH search, by fingerprints within a distance, or both.
struct PairRule {
  LshPlan lsh;                ///< bands == 0: no signatures
  SignatureFilter filter;     ///< of the signatures
  uint32_t bits = 0;          ///< of a fingerprint; 0: none
  uint32_t max_distance = 0;  ///< inclusive

  /// Without any sketch every pair is compared (Search::kExact).
  [[nodiscard]] bool all_pairs() const noexcept { return lsh.bands == 0 && bits == 0; }
  [[nodiscard]] bool both() const noexcept { return lsh.bands != 0 && bits != 0; }

  [[nodiscard]] uint32_t distance(const Candidates& candidates, uint32_t a, uint32_t b) const noexcept {
    return hamming_distance(candidates.codes[a], candidates.codes[b]);
  }
  /// agree() of two that share a band. Requires an LSH search alone, and rows of both.
  [[nodiscard]] bool sharing_agree(const Candidates& candidates, uint32_t a, uint32_t b) const noexcept {
    const size_t filter_bytes = filter.row_bytes();
    return filter.pass(candidates.filter_rows.data() + a * filter_bytes, candidates.filter_rows.data() + b * filter_bytes);
  }
  /// Requires !all_pairs().
  [[nodiscard]] bool agree(const Candidates& candidates, uint32_t a, uint32_t b) const noexcept {
    if (bits != 0 && candidates.has_code(a) && candidates.has_code(b) && distance(candidates, a, b) <= max_distance) return true;
    if (lsh.bands == 0 || !candidates.has_signature(a) || !candidates.has_signature(b)) return false;
    const size_t row_bytes = BandKeys::row_bytes(lsh);
    const size_t filter_bytes = filter.row_bytes();
    // The filter first: it is cheaper, and in a group that is connected by chains it rejects most pairs.
    return filter.pass(candidates.filter_rows.data() + a * filter_bytes, candidates.filter_rows.data() + b * filter_bytes) &&
           BandKeys::share_band(lsh, candidates.key_rows.data() + a * row_bytes, candidates.key_rows.data() + b * row_bytes);
  }
};

/// The measure that judges a pair of candidates.
enum class Judge { kJaccard, kCosine, kHamming, kContainment, kWeightedJaccard };

struct PairStrategy {
  PairRule rule;
  Judge judge = Judge::kJaccard;
  bool unverified = false;  ///< a shared band is a match
  // Under Judge::kContainment, whose join is in containment_join.h:
  ContainmentRule containment{};
  ContainmentSample containment_sample{};  ///< of documents whose containers are looked for; the whole set under Search::kExact
  bool largest_first = false;              ///< documents with more features are scanned first; else in rank order

  /// True if features are judged by their weights.
  [[nodiscard]] bool weighted() const noexcept { return judge == Judge::kCosine || judge == Judge::kWeightedJaccard; }
  /// True if a pass counts features for their weights: a recipe of fingerprints has weights of its own.
  [[nodiscard]] bool counts_features() const noexcept { return weighted() && rule.bits == 0; }
  /// True if pairs are judged by the features of both: a pass reads them.
  [[nodiscard]] bool reads_features() const noexcept { return !unverified && judge != Judge::kHamming; }
  /// True if groups of candidates are decided one by one, each by the features of its members alone: then they can be decided while
  /// features arrive, and sets on disk are best read one by one. A search through all documents (exact, or by containment) needs all sets
  /// together, many times.
  [[nodiscard]] bool decides_by_group() const noexcept { return reads_features() && !rule.all_pairs() && judge != Judge::kContainment; }
};

/// As outputs name it: "jaccard", "weighted-jaccard", "cosine", "containment", "distance"; "none" if nothing is verified.
std::string_view measure_name(const PairStrategy& strategy) noexcept;

/// `also` is null without a second recipe. Throws Error{kUsage} for options that contradict each other or the recipes.
PairStrategy choose_pair_strategy(const Options& options, const Recipe& recipe, const Recipe* also);

}  // namespace neardup
