#include "neardup/tools/hamming_statistics.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup {
namespace {

bool bit_of(Fingerprint64 code, uint32_t bit) noexcept {
  return (code.low >> bit & 1) != 0;
}
bool bit_of(Fingerprint128 code, uint32_t bit) noexcept {
  return ((bit < 64 ? code.low >> bit : code.high >> (bit - 64)) & 1) != 0;
}

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
  // Not entries * different / taken in one expression: that may overflow.
  const auto share = static_cast<double>(sample.size()) / static_cast<double>(taken);
  statistics.distinct = taken == sample.size() ? entries : static_cast<uint64_t>(static_cast<double>(entries) * share);

  // Transposed: the values of one bit in 64 codes are a word.
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

}  // namespace neardup
