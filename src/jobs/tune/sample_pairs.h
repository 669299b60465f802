// SamplePairs: the near-duplicates among the texts of a sample, by similarity: all are counted, and some of each band are listed.
//
// However many pairs there are, memory is bounded: of each band those with the smallest hashes are listed, so that the list is a function
// of the texts. Fills itself by the pairs engine; one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "neardup/options.h"

namespace neardup {

struct SamplePair {
  uint32_t a = 0;  ///< a < b: indexes of texts
  uint32_t b = 0;
  double similarity = 0;
};

class SamplePairs {
 public:
  static constexpr size_t kBands = 10;  ///< 0.5 to 0.55, ..., 0.95 to 1
  static constexpr double kLowest = 0.5;
  static constexpr double kWidth = 0.05;

  /// The pairs of the texts that a quick search for 0.5 finds: it misses a twentieth of those at 0.5 exactly, and few above. `options` says
  /// the recipe and the machine.
  SamplePairs(const Options& options, const std::vector<std::string_view>& texts);

  static size_t band_of(double similarity) noexcept;
  static double from(size_t band) noexcept { return kLowest + kWidth * static_cast<double>(band); }

  [[nodiscard]] uint64_t total() const noexcept;
  /// Pairs of a band, and the number of different texts in them.
  struct Band {
    uint64_t pairs = 0;
    uint64_t texts = 0;
  };
  [[nodiscard]] const Band& band(size_t i) const noexcept { return bands_[i]; }
  /// Of all pairs inside the groups that the pairs of this band and above connect, the share that are such pairs themselves: 1 if groups
  /// hold together, less if chains of pairs connect texts that are unlike. Texts of similarity 1 count once. 1 without pairs.
  [[nodiscard]] double cohesion(size_t band) const noexcept { return cohesion_[band]; }

  /// At most `most` pairs of a band, none of whose texts is in more than `per_text` of these; in the order of their hashes.
  [[nodiscard]] std::vector<SamplePair> choose(size_t band, size_t most, size_t per_text) const;

 private:
  class Collector;
  struct Listed {
    uint64_t hash;
    SamplePair pair;
    friend bool operator<(const Listed& a, const Listed& b) noexcept {
      return a.hash != b.hash ? a.hash < b.hash : (a.pair.a != b.pair.a ? a.pair.a < b.pair.a : a.pair.b < b.pair.b);
    }
  };

  std::array<Band, kBands> bands_{};
  std::array<double, kBands> cohesion_{};
  std::array<std::set<Listed>, kBands> listed_;
};

}  // namespace neardup
