// Sketcher: the only place where the order of the stages is written: normalize, tokenize, shingle, hash, MinHash.
//
// A Sketcher is immutable and may be shared by threads; every thread brings a Scratch of its own. All functions are total:
// any bytes in, defined result out. Malformed UTF-8 reads as U+FFFD per maximal subpart (Unicode 15, section 3.9).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/raw_vector.h"
#include "neardup/recipe.h"

namespace neardup {

class Normalizer;
class Tokenizer;
class MinHasher;

/// 128-bit hash of a normalized text (XXH3-128, seed 0). Equal texts are exact copies of each other.
struct ExactHash {
  uint64_t high = 0;
  uint64_t low = 0;
  friend auto operator<=>(const ExactHash&, const ExactHash&) = default;
};

/// A tokenized text: the tokens joined by the tokenizer's separator, and where each begins.
struct TokenBuffer {
  RawVector<char> joined;
  RawVector<uint32_t> starts;    ///< of every token, and where one more would begin; empty before the first use
  uint32_t separator_bytes = 0;  ///< 1: tokens are joined by one blank; 0: they touch

  [[nodiscard]] size_t size() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
  /// `count` tokens from the one of this index on, count >= 1, with the separators between them.
  [[nodiscard]] std::string_view run(size_t first, size_t count) const noexcept {
    return view_of(joined).substr(starts[first], starts[first + count] - separator_bytes - starts[first]);
  }
  [[nodiscard]] std::string_view token(size_t index) const noexcept { return run(index, 1); }
};

class Sketcher {
 public:
  /// Buffers that a thread reuses from text to text. The views that a Sketcher returns point into it.
  struct Scratch {
    RawVector<char> normalized;
    std::string piece;  ///< for the slow path of the normalizer
    TokenBuffer tokens;
    RawVector<uint64_t> features;
    RawVector<uint64_t> sort_space;
  };
  struct Result {
    ExactHash exact;
    uint64_t feature_occurrences = 0;  ///< shingles before making them a set
    bool too_short = false;            ///< law 5: no signature was written
  };

  /// Throws Error{kUsage} for a recipe out of bounds; see Recipe::check(). Texts are at most 256 MiB.
  explicit Sketcher(const Recipe& recipe);
  ~Sketcher();
  Sketcher(const Sketcher&) = delete;
  Sketcher& operator=(const Sketcher&) = delete;

  [[nodiscard]] const Recipe& recipe() const noexcept { return recipe_; }

  /// Writes the MinHash signature: `signature.size()` == recipe().lanes. If too_short, the signature is left untouched.
  Result sketch(std::string_view text, Scratch& scratch, std::span<uint32_t> signature) const;

  /// The same without a signature: exact hash and too_short only.
  Result exact(std::string_view text, Scratch& scratch) const;

  /// The features of a text: sorted, unique; empty when it is too short. Valid until the next call with this scratch.
  std::span<const uint64_t> features(std::string_view text, Scratch& scratch) const;

  /// The normalized text and its tokens, for people and for tests. Same lifetime.
  std::string_view normalize(std::string_view text, Scratch& scratch) const;
  const TokenBuffer& tokenize(std::string_view text, Scratch& scratch) const;

 private:
  void shingle_hashes(std::string_view text, Scratch& scratch) const;

  Recipe recipe_;
  std::unique_ptr<const Normalizer> normalizer_;
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::unique_ptr<const MinHasher> minhasher_;
};

}  // namespace neardup
