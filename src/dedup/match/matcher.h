// Matcher: does this candidate pair match? The one place where a pair is decided.
//
// Immutable; shared by threads. A pair is comparable if at least one of the two is not settled (of the reference corpus, or of an earlier
// slice), and their sketches agree (PairRule). By which measure it then matches is the Judge's matter: the Jaccard similarity or the cosine
// of the features at or above the threshold, or the Hamming distance of the fingerprints, which has been looked at already.
//
// All measures are given as an Overlap whose jaccard() is the similarity: of fingerprints it is the share of equal bits; of a cosine, in
// millionths, rounded down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/corpus/feature_store.h"
#include "dedup/match/candidates.h"
#include "dedup/match/pair_rule.h"
#include "features/feature_set.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// A similarity is just below the threshold when it is less than this under it, in millionths.
inline constexpr uint32_t kJustBelow = 100'000;

enum class Judge { kJaccard, kCosine, kHamming };

struct MatcherInputs {
  const DocumentTable& table;
  const Candidates& candidates;
  const FeatureStore& features;  ///< empty under Judge::kHamming
  const FeatureStore& weights;   ///< of the features, in their order; empty but under Judge::kCosine
  PairRule rule;
  Judge judge = Judge::kJaccard;
  Threshold threshold;
  uint64_t max_candidates;  ///< verifications per document in an oversized group; 0: no cap
  /// A large group is searched through its buckets when they make at most so many pairs per member; see LargeGroup.
  uint64_t bucket_pairs_per_member = 1000;
  PassSteps* steps = nullptr;           ///< told of documents that are decided, and asked whether to stop; null: nobody
  std::span<const uint32_t> copy_of{};  ///< find_exact_copies(); empty: no candidate is a copy
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
      : in_(inputs),
        just_below_(inputs.threshold.millionths() > kJustBelow ? Threshold::from_millionths(inputs.threshold.millionths() - kJustBelow)
                                                               : inputs.threshold) {}

  [[nodiscard]] const MatcherInputs& inputs() const noexcept { return in_; }
  /// `duplicates`: those removed, but for copies of reference documents, which were counted as copies.
  void done(uint64_t documents, uint64_t duplicates = 0) const {
    if (in_.steps != nullptr) in_.steps->done(documents, duplicates);
  }
  [[nodiscard]] uint32_t document(uint32_t ordinal) const noexcept { return in_.candidates.documents[ordinal]; }
  [[nodiscard]] bool settled(uint32_t ordinal) const noexcept { return in_.table.settled(document(ordinal)); }

  /// The reference document that it copies, unless it is not such a copy. Never kept, even if a cap hides that document from it.
  [[nodiscard]] std::optional<uint32_t> copied_reference(uint32_t ordinal) const noexcept {
    if (!copies_reference(document(ordinal))) return std::nullopt;
    return in_.copy_of[document(ordinal)];
  }
  [[nodiscard]] bool copies_reference(uint32_t document) const noexcept {
    return !in_.copy_of.empty() && neardup::copies_reference(in_.table, in_.copy_of, document);
  }

  [[nodiscard]] bool comparable(uint32_t a, uint32_t b) const noexcept {
    if (settled(a) && settled(b)) return false;
    return in_.rule.all_pairs() || in_.rule.agree(in_.candidates, a, b);
  }
  /// The same for two that share a band, where the search is for those alone.
  [[nodiscard]] bool sharing_comparable(uint32_t a, uint32_t b) const noexcept {
    return !(settled(a) && settled(b)) && in_.rule.sharing_agree(in_.candidates, a, b);
  }
  /// The overlap if the pair matches. Requires a pair that is comparable.
  [[nodiscard]] std::optional<Overlap> match(uint32_t a, uint32_t b, Scratch& scratch) const {
    if (in_.judge == Judge::kJaccard) {
      if (!sizes_allow(in_.features.size(a), in_.features.size(b))) return std::nullopt;
      return match(scratch.a.get(in_.features, a), b, scratch);
    }
    ++scratch.verifications;
    const Overlap measured = overlap(a, b, scratch);
    return met_by(measured) ? std::optional(measured) : std::nullopt;
  }
  /// The same with the features of `a` at hand (not of scratch.b). Requires Judge::kJaccard.
  [[nodiscard]] std::optional<Overlap> match(std::span<const uint64_t> features_a, uint32_t b, Scratch& scratch) const {
    Overlap overlap{.common = 0, .size_a = static_cast<uint32_t>(features_a.size()), .size_b = in_.features.size(b)};
    if (!sizes_allow(overlap.size_a, overlap.size_b)) return std::nullopt;
    ++scratch.verifications;
    overlap.common =
        count_common_at_least(features_a, scratch.b.get(in_.features, b), just_below_.required_overlap(overlap.size_a, overlap.size_b));
    if (in_.threshold.met_by(overlap)) return overlap;
    scratch.just_below |= just_below_.met_by(overlap);
    return std::nullopt;
  }
  /// The overlap, match or not.
  [[nodiscard]] Overlap overlap(uint32_t a, uint32_t b, Scratch& scratch) const;
  /// True if an overlap that overlap() gave is a match.
  [[nodiscard]] bool met_by(const Overlap& overlap) const noexcept {
    if (in_.judge == Judge::kHamming) return in_.rule.bits - overlap.common <= in_.rule.max_distance;
    return in_.threshold.met_by(overlap);
  }

 private:
  [[nodiscard]] bool sizes_allow(uint32_t a, uint32_t b) const noexcept { return in_.threshold.required_overlap(a, b) <= std::min(a, b); }

  MatcherInputs in_;
  Threshold just_below_;
};

}  // namespace neardup
