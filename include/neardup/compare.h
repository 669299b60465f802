// compare_texts(): every measure of two texts, exact and estimated, and what they share.
//
//   const neardup::Sketcher sketcher(neardup::Recipe::load("words-5"));
//   const neardup::Comparison c = neardup::compare_texts(sketcher, a, b);
//   if (c.matches(neardup::Threshold::parse("0.8"))) { ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sketcher.h"
#include "neardup/threshold.h"

namespace neardup {

/// A run of tokens that stands in both texts.
struct SharedPassage {
  std::string text;  ///< normalized, as the recipe sees it
  uint64_t tokens = 0;
};

struct Comparison {
  struct Side {
    uint64_t bytes = 0;
    uint64_t tokens = 0;
    uint64_t shingles = 0;   ///< with repetitions
    uint32_t features = 0;   ///< distinct shingles
    bool too_short = false;  ///< fewer features than the recipe wants: matched as an exact copy only
  };
  Side a;
  Side b;
  bool exact_copy = false;  ///< the same normalized text
  Overlap overlap;          ///< of the feature sets

  uint32_t lanes = 0;
  uint32_t equal_lanes = 0;  ///< of the two signatures; 0 when one of the texts is too short
  double estimate = 0;       ///< of the Jaccard similarity, from the signatures
  double estimate_low = 0;   ///< 95 % interval (Wilson)
  double estimate_high = 0;

  std::vector<SharedPassage> passages;  ///< the longest first; no shingle of text a is in two of them
  bool passages_skipped = false;        ///< a text has more than kMaxPassageShingles shingles

  /// True if both have features, so that similarities mean something.
  [[nodiscard]] bool measurable() const noexcept { return !a.too_short && !b.too_short; }
  [[nodiscard]] double jaccard() const noexcept { return overlap.jaccard(); }
  [[nodiscard]] double containment_of_a() const noexcept;  ///< the share of a's features that b has
  [[nodiscard]] double containment_of_b() const noexcept;
  [[nodiscard]] double cosine() const noexcept;  ///< of the sets: common / sqrt(size of a * size of b)
  /// What a run would say: exact copies match, and measurable texts at or above the threshold.
  [[nodiscard]] bool matches(Threshold threshold) const noexcept { return exact_copy || (measurable() && threshold.met_by(overlap)); }
};

inline constexpr size_t kMaxPassageShingles = size_t{1} << 22;

/// At most `max_passages` shared passages. Time and memory are linear in the texts.
Comparison compare_texts(const Sketcher& sketcher, std::string_view a, std::string_view b, size_t max_passages = 3);

}  // namespace neardup
