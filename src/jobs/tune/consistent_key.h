// ConsistentKey: a key of a text by which near-duplicates are sampled together.
//
// The key is a uniform 64-bit value, a function of the text alone. It is made of one of the text's grams: runs of characters, normalized as
// by chars-5, of at least kGramBytes bytes, so twelve letters or four ideographs; shorter ones would be common to unrelated texts. The gram
// with the smallest hash decides, so two texts have the same key with a probability equal to the Jaccard similarity of their grams (Broder
// 1997), similarity(). Its hash is mixed again, so that long texts are not preferred. A sample of all documents whose key is below a bound
//   - has each document with the probability share = bound / 2^64, whatever its length, and
//   - has of a pair of similarity s both, or neither, with a probability of s; both with s * share + (1 - s) * share^2.
// For a sample of a given share: `key(text) < bound_of_share(share)`.
//
// Immutable, shared by threads; every thread has its own Scratch. Total: any bytes in.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/raw_vector.h"
#include "sketch/text_chain.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

class ConsistentKey {
 public:
  struct Scratch {
    TextChain::Scratch chain;
    TokenBuffer tokens;
    RawVector<uint64_t> grams;
    RawVector<uint64_t> sorting;
  };
  struct Keys {
    uint64_t key = 0;    ///< the sampling key
    uint64_t exact = 0;  ///< hash of the normalized text: equal for exact copies
    bool empty = false;  ///< no character that is not white space
  };

  static constexpr uint32_t kGramBytes = 12;

  ConsistentKey();
  [[nodiscard]] Keys of(std::string_view text, Scratch& scratch) const;

  /// The probability that two texts have one key. Two texts without a character have: 1.
  [[nodiscard]] double similarity(std::string_view a, std::string_view b, Scratch& scratch) const;

  /// The pairs of the corpus, times the share of the sample, that a pair of the sample with this similarity() stands for. At most 4: a pair
  /// with next to no grams in common is in the sample by chance, and must not decide the whole estimate.
  static double weight_of(double similarity) noexcept;

  /// The bound below which a share of all keys lie; 0 <= share <= 1. Of a share of 1, the largest key alone is above it.
  static uint64_t bound_of_share(double share) noexcept;

 private:
  // Fills scratch.grams, with repetitions; returns the normalized text.
  std::string_view cut(std::string_view text, Scratch& scratch) const;

  TextChain chain_;
};

}  // namespace neardup
