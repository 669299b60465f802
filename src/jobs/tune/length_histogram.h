// LengthHistogram: the lengths of texts, in bins of 1, 2 and 5 times a power of ten, and their quantiles within 10 %.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "neardup/tools/tune.h"

namespace neardup {

class LengthHistogram {
 public:
  void add(uint64_t length) noexcept {
    ++fine_[fine_bin(length)];
    ++count_;
  }
  /// The smallest length that at least the share `q` of the texts does not exceed, within 10 %; 0 of no texts.
  [[nodiscard]] uint64_t quantile(double q) const noexcept {
    uint64_t below = 0;
    for (size_t bin = 0; bin < kBins; ++bin) {
      below += fine_[bin];
      if (below > 0 && static_cast<double>(below) >= q * static_cast<double>(count_)) return fine_start(bin);
    }
    return 0;
  }
  /// A text counts in the bin in which its fine bin begins.
  [[nodiscard]] std::vector<TuneCorpus::LengthBin> bins() const {
    std::vector<TuneCorpus::LengthBin> bins{{0, 0, 0}};
    constexpr std::array<uint64_t, 3> kSteps{1, 2, 5};
    for (uint64_t power = 1; power <= 1'000'000'000; power *= 10) {
      for (size_t i = 0; i < kSteps.size(); ++i) {
        const uint64_t next = i + 1 < kSteps.size() ? kSteps[i + 1] * power : 10 * power;
        bins.push_back({kSteps[i] * power, next - 1, 0});
      }
    }
    size_t at = 0;
    for (size_t bin = 0; bin < kBins; ++bin) {
      while (at + 1 < bins.size() && fine_start(bin) > bins[at].to) ++at;
      bins[at].documents += fine_[bin];
    }
    while (!bins.empty() && bins.back().documents == 0) bins.pop_back();
    while (!bins.empty() && bins.front().documents == 0) bins.erase(bins.begin());
    return bins;
  }

 private:
  // Sixteen bins an octave: exact to 32, within 6 % above.
  static constexpr size_t kPerOctave = 16;
  static constexpr size_t kBins = 64 * kPerOctave;

  static constexpr size_t fine_bin(uint64_t length) noexcept {
    if (length < kPerOctave) return static_cast<size_t>(length);
    const auto octave = static_cast<uint32_t>(std::bit_width(length)) - 5;  // length >> octave is 16 to 31
    return size_t{octave} * kPerOctave + static_cast<size_t>(length >> octave);
  }
  static constexpr uint64_t fine_start(size_t bin) noexcept {
    if (bin < 2 * kPerOctave) return bin;
    const size_t octave = bin / kPerOctave - 1;
    return (kPerOctave + bin % kPerOctave) << octave;
  }

  std::array<uint64_t, kBins> fine_{};
  uint64_t count_ = 0;
};

}  // namespace neardup
