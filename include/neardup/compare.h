// compare_texts(): every measure of two texts, exact and estimated, and the passages they share. preset_verdicts(): the verdict of each
// preset on them.
//
//   const neardup::Sketcher sketcher(neardup::Recipe::load("words-5"));
//   const neardup::Comparison c = neardup::compare_texts(sketcher, a, b);
//   if (c.matches(neardup::Threshold::parse("0.8"))) { ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"
#include "neardup/sketcher.h"
#include "neardup/tools/threshold.h"

namespace neardup {

class RunWeights;  // tools/run_weights.h

/// A run of tokens that occurs in both texts.
struct SharedPassage {
  std::string text;  ///< normalized, as the recipe sees it
  uint64_t tokens = 0;
};

/// A feature in words, and its weight in both texts.
struct ComparedWord {
  std::string word;
  int32_t weight_a = 0;  ///< 0: not a feature of this text
  int32_t weight_b = 0;
};

struct Comparison {
  struct Side {
    uint64_t bytes = 0;
    uint64_t tokens = 0;
    uint64_t shingles = 0;   ///< with repetitions
    uint32_t features = 0;   ///< distinct shingles
    bool too_short = false;  ///< fewer features than the recipe requires: matched as an exact copy only
  };
  Side a;
  Side b;
  bool exact_copy = false;      ///< the same normalized text
  bool numbers_differ = false;  ///< and the recipe requires that they agree (Recipe::numbers_agree): no features in common
  Overlap overlap;              ///< of the feature sets

  // Of a MinHash recipe:
  uint32_t lanes = 0;        ///< 0: of another one
  uint32_t equal_lanes = 0;  ///< of the two signatures; 0 when one of the texts is too short
  double estimate = 0;       ///< of the Jaccard similarity, from the signatures
  double estimate_low = 0;   ///< 95 % interval (Wilson)
  double estimate_high = 0;

  // Of a recipe of fingerprints:
  uint32_t bits = 0;                ///< 0: of another one
  Fingerprint128 fingerprint_a;     ///< 0 if the text is too short; 64 bits have a high half of 0
  Fingerprint128 fingerprint_b;     ///< the same
  uint32_t distance = 0;            ///< bits that differ; 0 when one of the texts is too short
  std::vector<ComparedWord> words;  ///< the heaviest first, by the larger of both weights
  uint64_t words_in_all = 0;        ///< features of both texts together

  // Of weighted features: a recipe of fingerprints has weights, and a run may have counted those of a MinHash recipe (ComparedWeights).
  bool weighted = false;        ///< false: the two below are unknown
  double weighted_jaccard = 0;  ///< rounded down to six decimals; 0 when one of the texts is too short
  double weighted_cosine = 0;   ///< the same

  std::vector<SharedPassage> passages;  ///< the longest first; no shingle of text a is in two of them
  bool passages_skipped = false;        ///< a text has more than kMaxPassageShingles shingles

  /// True if both have features, so that similarities are meaningful.
  [[nodiscard]] bool measurable() const noexcept { return !a.too_short && !b.too_short; }
  [[nodiscard]] double jaccard() const noexcept { return overlap.jaccard(); }
  [[nodiscard]] double containment_of_a() const noexcept;  ///< the share of a's features that b has
  [[nodiscard]] double containment_of_b() const noexcept;
  [[nodiscard]] double cosine() const noexcept;  ///< of the sets: common / sqrt(size of a * size of b)
  /// The same for fingerprints: exact copies match, and measurable texts within the distance.
  [[nodiscard]] bool matches_within(uint32_t max_distance) const noexcept {
    return exact_copy || (measurable() && distance <= max_distance);
  }
  /// Which of the two a run with Measure::kContainment and these options finds in the other. Exact copies contain each other.
  struct Contained {
    bool a_in_b = false;
    bool b_in_a = false;
    [[nodiscard]] bool any() const noexcept { return a_in_b || b_in_a; }
  };
  [[nodiscard]] Contained contained(const Options& options) const noexcept;
  /// The verdict of a run: exact copies match, and measurable texts at or above the threshold.
  [[nodiscard]] bool matches(Threshold threshold) const noexcept { return exact_copy || (measurable() && threshold.met_by(overlap)); }
  /// The same for a run that verifies by weighted features (Options::weighs_features()). Requires that the comparison has weights.
  [[nodiscard]] bool matches_by_weights(Verify verify, Threshold threshold) const noexcept;
  /// The similarity that such a run reports.
  [[nodiscard]] double weighted_similarity(Verify verify) const noexcept {
    return exact_copy ? 1 : verify == Verify::kCosine ? weighted_cosine : weighted_jaccard;
  }
};

inline constexpr size_t kMaxPassageShingles = size_t{1} << 22;

/// The weights of the features of a MinHash recipe, which two texts alone do not have.
struct ComparedWeights {
  const RunWeights* of_run = nullptr;          ///< null: none
  std::optional<std::string_view> block = {};  ///< Record::block of both texts, in a run with Options::block_on
};

/// At most `max_passages` shared passages, and at most `max_words` words. Time is linear in the texts but for the sorting of features.
/// `weights` are ignored under a recipe of fingerprints.
Comparison compare_texts(const Sketcher& sketcher, std::string_view a, std::string_view b, size_t max_passages = 3, size_t max_words = 20,
                         const ComparedWeights& weights = {});

/// The verdict of a run with a preset on two texts.
struct PresetVerdict {
  std::string name;
  std::string problem;  ///< not empty: why the preset has no verdict; then the other members are meaningless
  bool exact_copy = false;
  bool too_short = false;  ///< one of the texts: matched as an exact copy only
  uint32_t bits = 0;       ///< of a fingerprint; 0: a MinHash
  uint32_t distance = 0;   ///< of fingerprints
  double jaccard = 0;      ///< exact, of the features
  bool match = false;
};

/// One for each preset, in the order of Recipe::preset_names(). A preset that weighs by the IDF of a corpus has no verdict: an IDF learned
/// from two texts would differ from that of a run.
std::vector<PresetVerdict> preset_verdicts(std::string_view a, std::string_view b, Threshold threshold, uint32_t max_distance);

}  // namespace neardup
