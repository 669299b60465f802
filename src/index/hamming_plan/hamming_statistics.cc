#include "index/hamming_plan/hamming_statistics.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

bool bit_of(Fingerprint64 code, uint32_t bit) noexcept {
  return (code.low >> bit & 1) != 0;
}
bool bit_of(Fingerprint128 code, uint32_t bit) noexcept {
  return ((bit < 64 ? code.low >> bit : code.high >> (bit - 64)) & 1) != 0;
}

// p = 0.45 to 0.55 counts as even: a block of 25 such bits loses a third of a bit at most. A sample of n even bits has 1 / 2n more in the
// mean, and seldom one of 128 above 5 / n.
constexpr double kEven = 0.505;
constexpr double kEvenNoise = 5;
// Of the squared correlation: a sample of independent bits has 1 / n in the mean, and seldom one of 8128 pairs above 25 / n.
constexpr double kLeastCorrelation = 0.002;
constexpr double kNoise = 25;

}  // namespace

HammingStatistics HammingStatistics::uniform(uint32_t bits, uint64_t entries) {
  return {.bits = bits, .entries = entries, .distinct = entries, .sampled = 0, .ones = {}, .differ = {}};
}

template <typename Code>
HammingStatistics hamming_statistics(std::vector<Code> sample, uint64_t entries) {
  constexpr uint32_t kBits = Code::kBits;
  const size_t taken = sample.size();
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  HammingStatistics statistics = HammingStatistics::uniform(kBits, entries);
  if (sample.empty()) return statistics;
  statistics.sampled = static_cast<uint32_t>(sample.size());
  // Not entries * different / taken in one: that may overflow.
  const auto share = static_cast<double>(sample.size()) / static_cast<double>(taken);
  statistics.distinct = taken == sample.size() ? entries : static_cast<uint64_t>(static_cast<double>(entries) * share);

  // Turned by a quarter: the values of one bit in 64 codes are a word.
  const size_t words = (sample.size() + 63) / 64;
  std::vector<uint64_t> columns(words * kBits, 0);
  for (size_t i = 0; i < sample.size(); ++i) {
    for (uint32_t b = 0; b < kBits; ++b) columns[b * words + i / 64] |= uint64_t{bit_of(sample[i], b)} << (i % 64);
  }
  statistics.ones.assign(kBits, 0);
  statistics.differ.assign(size_t{kBits} * kBits, 0);
  for (uint32_t a = 0; a < kBits; ++a) {
    const uint64_t* x = columns.data() + a * words;
    for (size_t w = 0; w < words; ++w) statistics.ones[a] += static_cast<uint32_t>(std::popcount(x[w]));
    for (uint32_t b = 0; b < a; ++b) {
      const uint64_t* y = columns.data() + b * words;
      uint32_t differ = 0;
      for (size_t w = 0; w < words; ++w) differ += static_cast<uint32_t>(std::popcount(x[w] ^ y[w]));
      statistics.differ[size_t{a} * kBits + b] = statistics.differ[size_t{b} * kBits + a] = differ;
    }
  }
  return statistics;
}

template <typename Code>
HammingStatistics hamming_statistics(std::span<const Code> codes) {
  const size_t size = std::min<size_t>(codes.size(), kHammingSample);
  std::vector<Code> sample(size);
  const size_t step = size == 0 ? 0 : codes.size() / size;
  const size_t rest = size == 0 ? 0 : codes.size() % size;
  for (size_t i = 0; i < size; ++i) sample[i] = codes[i * step + i * rest / size];  // i * codes.size() / size
  return hamming_statistics(std::move(sample), codes.size());
}

template HammingStatistics hamming_statistics(std::span<const Fingerprint64>);
template HammingStatistics hamming_statistics(std::span<const Fingerprint128>);
template HammingStatistics hamming_statistics(std::vector<Fingerprint64>, uint64_t);
template HammingStatistics hamming_statistics(std::vector<Fingerprint128>, uint64_t);

BitWeights::BitWeights(const HammingStatistics& statistics) : bits_(statistics.bits) {
  if (statistics.sampled == 0) return;
  const double n = statistics.sampled;
  agree_.resize(bits_);
  together_.assign(size_t{bits_} * bits_, 1.0);
  bool even = true;
  for (uint32_t b = 0; b < bits_; ++b) {
    const double p = statistics.ones[b] / n;
    const double agree = p * p + (1 - p) * (1 - p);
    const bool constant = statistics.ones[b] == 0 || statistics.ones[b] == statistics.sampled;
    agree_[b] = !constant && agree <= kEven + kEvenNoise / n ? 0.5 : agree;
    even = even && agree_[b] == 0.5;
  }
  for (uint32_t a = 0; a < bits_; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      const double p = statistics.ones[a] / n;
      const double q = statistics.ones[b] / n;
      const double spread = p * (1 - p) * q * (1 - q);
      if (spread == 0) continue;  // a constant bit
      const double both = (p + q - statistics.differ[size_t{a} * bits_ + b] / n) / 2;
      const double covariance = both - p * q;
      if (covariance * covariance <= spread * std::max(kLeastCorrelation, kNoise / n)) continue;
      const double only_a = p - both;
      const double only_b = q - both;
      const double none = 1 - both - only_a - only_b;
      const double agree = both * both + only_a * only_a + only_b * only_b + none * none;
      const double apart = (p * p + (1 - p) * (1 - p)) * (q * q + (1 - q) * (1 - q));
      const double factor = std::max(1.0, agree / apart);
      together_[size_t{a} * bits_ + b] = together_[size_t{b} * bits_ + a] = factor;
      even = even && factor == 1;
    }
  }
  if (even) agree_.clear();
}

double BitWeights::reach(std::span<const uint8_t> block, uint32_t flips) const {
  std::vector<double> differ(flips + 1, 0);  // differ[d]: in exactly d of the bits seen so far
  differ[0] = 1;
  double factor = 1;
  for (size_t i = 0; i < block.size(); ++i) {
    const double same = agree(block[i]);
    for (uint32_t d = flips; d > 0; --d) differ[d] = differ[d] * same + differ[d - 1] * (1 - same);
    differ[0] *= same;
    for (size_t j = 0; j < i && !uniform(); ++j) factor *= together(block[i], block[j]);
  }
  double sum = 0;
  for (const double d : differ) sum += d;
  return std::min(1.0, sum * factor);
}

}  // namespace neardup
