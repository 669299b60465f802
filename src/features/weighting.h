// Weighter: the tokens of a text to weighted features. All in integers, so that weights, ties and orders are the same everywhere.
//
//   kNone    every distinct token weighs 1
//   kTf      its number of occurrences
//   kTfIdf   that times its idf, in units of 2^-16 (features/idf.h)
//
// A weight saturates at kMaxWeight. With top_k above 0 only the top_k heaviest features are kept; of equal weights, those that occur first
// in the text. docs/weights.md defines it.
//
// Immutable, shared by threads; the table is not owned. Total: throws nothing but std::bad_alloc, and Error{kInput} if the file of the
// table shrank since it was opened.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "features/document_frequency.h"
#include "features/token_counter.h"
#include "neardup/tools/weighted_feature.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

enum class WeightingKind { kNone, kTf, kTfIdf };

inline constexpr int32_t kMaxWeight = std::numeric_limits<int32_t>::max();

struct CountedToken {
  std::string_view token;
  uint32_t count = 1;  ///< 0: absent
};

class Weighter {
 public:
  struct Scratch {
    struct Ranked {
      WeightedFeature feature;
      uint32_t first;  ///< rank of its first occurrence
    };
    TokenCounter counter;
    std::vector<Ranked> ranked;
    std::vector<WeightedFeature> sort_space;
    std::vector<uint32_t> bucket_ends;
  };

  /// `table` is needed for kTfIdf, and only then.
  explicit Weighter(WeightingKind kind, uint32_t top_k = 0, const DocumentFrequencyTable* table = nullptr)
      : kind_(kind), top_k_(top_k), table_(table) {}

  /// All of these replace `out` by features sorted by hash, no hash twice, all weights above 0.
  void weigh(const TokenBuffer& tokens, Scratch& scratch, std::vector<WeightedFeature>& out) const;
  /// In the order of first occurrence; a token may occur twice.
  void weigh(std::span<const CountedToken> tokens, Scratch& scratch, std::vector<WeightedFeature>& out) const;
  /// Hashes of tokens, or of shingles, in the order of the text, with repetitions.
  void weigh(std::span<const uint64_t> hashes, Scratch& scratch, std::vector<WeightedFeature>& out) const;

 private:
  [[nodiscard]] int32_t weight(const TokenCounter::Entry& entry) const noexcept;
  void finish(Scratch& scratch, std::vector<WeightedFeature>& out) const;

  WeightingKind kind_;
  uint32_t top_k_;
  const DocumentFrequencyTable* table_;
};

/// A word with a weight in floating point, as jieba's extraction of keywords gives it.
struct Keyword {
  std::string_view word;
  double weight = 0;
};

/// floor(weight * 2^16 + 1/2), computed exactly, within 0 and kMaxWeight; 0 for what is not a number.
int32_t fixed_weight(double weight) noexcept;

/// Replaces `out` by the features of the keywords, sorted by hash. Weights of equal words are added. Words whose weight is 0 as a
/// fixed-point number (below 2^-17) are left out.
void weigh_keywords(std::span<const Keyword> keywords, std::vector<WeightedFeature>& out);

}  // namespace neardup
