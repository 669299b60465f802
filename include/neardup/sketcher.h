// Sketcher: the only place where the order of the stages is written: clean, normalize, tokenize, shingle or weigh, hash, sketch.
//
// A Sketcher is immutable and may be shared by threads; every thread has its own Scratch. All functions are total: any bytes in, defined
// result out. Malformed UTF-8 reads as U+FFFD per maximal subpart (Unicode 15, section 3.9).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/recipe.h"
#include "neardup/tools/weighted_feature.h"

namespace neardup {

class DocumentFrequencyTable;

/// 128-bit hash of a normalized text (XXH3-128, seed 0). Equal texts are exact copies of each other.
struct ExactHash {
  uint64_t high = 0;
  uint64_t low = 0;
  friend auto operator<=>(const ExactHash&, const ExactHash&) = default;
};

class Sketcher {
 public:
  /// Buffers that a thread reuses from text to text. The views that a Sketcher returns point into it. A moved-from object may only be
  /// assigned to or destroyed.
  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

   private:
    friend class Sketcher;
    friend struct SketcherAccess;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
  struct Result {
    ExactHash exact;
    uint64_t feature_occurrences = 0;  ///< shingles before making them a set, or weighted features
    bool too_short = false;            ///< fewer features than the minimum: no sketch was written
  };

  /// Throws Error{kUsage} for a recipe out of bounds, see Recipe::check(), and Error{kInput} for files of it that cannot be read. A table
  /// of document frequencies is needed if Recipe::needs_fitting(); it is not owned. Texts are at most 256 MiB.
  explicit Sketcher(const Recipe& recipe, const DocumentFrequencyTable* fitted = nullptr);
  ~Sketcher();
  Sketcher(const Sketcher&) = delete;
  Sketcher& operator=(const Sketcher&) = delete;

  [[nodiscard]] const Recipe& recipe() const noexcept;
  /// 32-bit words of a sketch: the lanes of a MinHash signature, or the bits of a fingerprint by 32.
  [[nodiscard]] size_t sketch_words() const noexcept;

  /// Writes the MinHash signature, or the fingerprint, lowest word first: `sketch.size()` == sketch_words(). If too_short, it is left
  /// untouched.
  Result sketch(std::string_view text, Scratch& scratch, std::span<uint32_t> sketch) const;
  /// A fingerprint from its words; 64 bits have a high half of 0.
  [[nodiscard]] static Fingerprint128 fingerprint(std::span<const uint32_t> words) noexcept;

  /// The same without a sketch: exact hash and too_short only.
  Result exact(std::string_view text, Scratch& scratch) const;

  /// The features of a text: sorted, unique; empty when it is too short. Valid until the next call with this scratch.
  std::span<const uint64_t> features(std::string_view text, Scratch& scratch) const;
  /// The same with their weights.
  std::span<const WeightedFeature> weighted_features(std::string_view text, Scratch& scratch) const;

  /// The normalized text, its tokens, and the hashed strings of its features, for people and for tests. Same lifetime.
  std::string_view normalize(std::string_view text, Scratch& scratch) const;
  std::vector<std::string_view> tokenize(std::string_view text, Scratch& scratch) const;
  struct Word {
    std::string word;
    int32_t weight = 1;
  };
  /// The features in words with their weights, heaviest first, of equal weights in the order of the text.
  std::vector<Word> words(std::string_view text, Scratch& scratch) const;

 private:
  friend struct SketcherAccess;
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace neardup
