// HammingSearch: the distinct codes of an image within a radius of queries. The hot loop of the index.
//
// Probes (bucket look-ups) of many queries are made at once and in three steps, each of which fetches into the cache what the next one
// reads: the line of the directory, the remainders of the bucket, the comparison of them all by the kernel. So a query waits for a few
// trips to memory, not for one per bucket. A code that several tables would find is given by the first of them only.
//
// One object per thread; it refers to no image between calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/hamming_image.h"
#include "kernels/kernels.h"

namespace neardup {

template <typename Code>
class HammingSearch {
 public:
  using Word = CodeWord<Code>;

  struct Found {
    Word word;  // of the reordered code
    uint32_t query;
    uint32_t distance;
    uint64_t position;  // in table 0, or kUnknown
  };
  static constexpr uint64_t kUnknown = UINT64_MAX;

  /// Replaces found() by the codes within the radius (at most the plan's) of the queries, which are in the order of the image's plan. Those
  /// of one query are not sorted, and not always together.
  void run(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius);
  [[nodiscard]] std::vector<Found>& found() noexcept { return found_; }

 private:
  static constexpr size_t kProbes = 512;  // in flight

  struct Probe {
    uint64_t prefix;
    uint32_t query;
    uint16_t table;
    uint16_t flipped;
    CountRange codes;
  };

  void run_flat(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius);
  void flush(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius);
  void compare(const HammingImage<Code>& image, std::span<const Word> queries);
  void take(const HammingImage<Code>& image, std::span<const Word> queries, const Probe& probe, Word word, uint32_t distance,
            uint64_t position);
  void ask_nested(const HammingImage<Code>& image, std::span<const Word> queries, const Probe& probe, const HammingImage<Code>& nested,
                  uint32_t radius);

  std::span<const int32_t> flips_;
  std::vector<Probe> probes_;
  std::vector<kernels::PackedRun> runs_;
  std::vector<uint32_t> run_probes_;
  std::vector<uint64_t> run_begins_;
  std::vector<kernels::PackedMatch> matches_;
  std::vector<Found> found_;
  std::unique_ptr<HammingSearch> deeper_;  // of nested images
};

/// Calls visit(pattern) for all values of `width` bits with exactly `ones` bits set, ascending, until it returns false. Requires ones <=
/// width <= 63.
template <typename Visit>
void for_each_pattern(uint32_t width, uint32_t ones, const Visit& visit) {
  const uint64_t end = uint64_t{1} << width;
  uint64_t pattern = (uint64_t{1} << ones) - 1;
  while (pattern < end) {
    visit(pattern);
    if (pattern == 0) return;
    const uint64_t lowest = pattern & (~pattern + 1);  // the next one with as many bits
    const uint64_t ripple = pattern + lowest;
    pattern = ripple | ((pattern ^ ripple) >> 2) >> std::countr_zero(lowest);
  }
}

extern template class HammingSearch<Fingerprint64>;
extern template class HammingSearch<Fingerprint128>;

}  // namespace neardup
