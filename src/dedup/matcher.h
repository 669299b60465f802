// Matcher: does this candidate pair match? The one place where a pair is decided.
//
// Immutable; shared by threads. A pair is comparable if at least one of the two is not of the reference corpus, and (Search::kLsh) they
// share a band and pass the signature filter. It matches if the Jaccard similarity of its feature sets is at or above the threshold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dedup/candidates.h"
#include "dedup/document_table.h"
#include "dedup/feature_store.h"
#include "features/feature_set.h"
#include "neardup/threshold.h"

namespace neardup {

struct MatcherInputs {
  const DocumentTable& table;
  const Candidates& candidates;
  const FeatureStore& features;
  LshPlan plan;  ///< bands == 0: no band has to be shared
  SignatureFilter filter;
  Threshold threshold;
  uint64_t max_candidates;  ///< verifications per document in an oversized group; 0: no cap
  /// A large group is searched through its buckets when they make at most so many pairs per member; see LargeGroup.
  uint64_t bucket_pairs_per_member = 1000;
};

class Matcher {
 public:
  struct Scratch {
    std::vector<uint64_t> a, b;  // for sets that are read from the spill file
    uint64_t verifications = 0;
  };

  explicit Matcher(const MatcherInputs& inputs) : in_(inputs) {}

  [[nodiscard]] const MatcherInputs& inputs() const noexcept { return in_; }
  [[nodiscard]] uint32_t document(uint32_t ordinal) const noexcept { return in_.candidates.documents[ordinal]; }
  [[nodiscard]] bool reference(uint32_t ordinal) const noexcept { return in_.table.reference(document(ordinal)); }

  [[nodiscard]] bool comparable(uint32_t a, uint32_t b) const noexcept {
    if (reference(a) && reference(b)) return false;
    return in_.plan.bands == 0 || sketches_agree(in_.plan, in_.filter, in_.candidates, a, b);
  }
  /// The overlap if the pair matches. Requires a pair that is comparable.
  [[nodiscard]] std::optional<Overlap> match(uint32_t a, uint32_t b, Scratch& scratch) const {
    return match(in_.features.get(a, scratch.a), b, scratch);
  }
  /// The same with the features of `a` at hand (not in scratch.b).
  [[nodiscard]] std::optional<Overlap> match(std::span<const uint64_t> features_a, uint32_t b, Scratch& scratch) const {
    Overlap overlap{.common = 0, .size_a = static_cast<uint32_t>(features_a.size()), .size_b = in_.features.size(b)};
    const uint64_t required = in_.threshold.required_overlap(overlap.size_a, overlap.size_b);
    if (required > std::min(overlap.size_a, overlap.size_b)) return std::nullopt;
    ++scratch.verifications;
    overlap.common = count_common_at_least(features_a, in_.features.get(b, scratch.b), required);
    return in_.threshold.met_by(overlap) ? std::optional(overlap) : std::nullopt;
  }
  /// The overlap, match or not.
  [[nodiscard]] Overlap overlap(uint32_t a, uint32_t b, Scratch& scratch) const {
    const auto features_a = in_.features.get(a, scratch.a);
    const auto features_b = in_.features.get(b, scratch.b);
    return {count_common(features_a, features_b), static_cast<uint32_t>(features_a.size()), static_cast<uint32_t>(features_b.size())};
  }

 private:
  MatcherInputs in_;
};

}  // namespace neardup
