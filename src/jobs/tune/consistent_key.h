// ConsistentKey: a key of a text by which near-duplicates are sampled together.
//
// The key is a uniform 64-bit value, a function of the text alone. Two texts have the same key with a probability equal to the Jaccard
// similarity of their 5-grams of characters (normalized as by chars-5): it is made of that 5-gram whose hash is the smallest (Broder 1997).
// Mixed again, so that long texts are not preferred. A sample of all documents whose key is below a bound therefore
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
    RawVector<uint64_t> shingles;
  };
  struct Keys {
    uint64_t key = 0;    ///< the sampling key
    uint64_t exact = 0;  ///< hash of the normalized text: equal for exact copies
    bool empty = false;  ///< no character that is not white space
  };

  ConsistentKey();
  [[nodiscard]] Keys of(std::string_view text, Scratch& scratch) const;

  /// The bound below which a share of all keys lie; 0 <= share <= 1. Of a share of 1, the largest key alone is above it.
  static uint64_t bound_of_share(double share) noexcept;

 private:
  TextChain chain_;
};

}  // namespace neardup
