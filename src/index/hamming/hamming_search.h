// HammingSearch: the distinct codes of an image within a radius of queries. The hot loop of the index.
//
// Probes (bucket lookups) of consecutive queries pass three steps, a block at a time: prefetch the line of the directory; read it and
// prefetch the remainders of the bucket; compare them with the query in the kernel. While a block waits for memory, others proceed, so a
// query waits for few memory accesses, and a batch of queries for almost none. A code that several tables find is returned by the first of
// them only.
//
// One object per thread; it refers to no image between calls.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/hamming/hamming_image.h"
#include "kernels/kernels.h"

namespace neardup {

template <typename Code>
class HammingSearch {
 public:
  using Word = CodeWord<Code>;

  struct FoundCode {
    Word word;  // of the reordered code
    uint32_t query;
    uint32_t distance;
    uint64_t position;  // in table 0, or kUnknown
  };
  static constexpr uint64_t kUnknown = UINT64_MAX;

  /// Replaces found() by the codes within the radius (at most the plan's) of the queries, which are in the order of the image's plan. Those
  /// of one query are not sorted, and not always together. Throws Error{kStopped} when this thread is to stop (neardup/stop.h).
  void run(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius);
  [[nodiscard]] std::vector<FoundCode>& found() noexcept { return found_; }

 private:
  static constexpr uint32_t kBlockProbes = 32;
  static constexpr uint64_t kBlocks = 20;  // of the ring: more than 2 * kAhead
  static constexpr uint64_t kAhead = 8;    // blocks between two steps

  struct Probe {
    uint64_t prefix;
    BucketSlot slot;
    uint64_t begin;  // position of its codes
    uint32_t query;
    uint16_t table;
    uint16_t flipped;
  };
  struct Block {
    uint32_t count = 0;
    std::array<Probe, kBlockProbes> probes;
    std::array<kernels::PackedRun, kBlockProbes> runs;
  };
  struct Job {
    const HammingImage<Code>& image;
    std::span<const Word> queries;
    uint32_t radius;
    std::span<const int32_t> flips;
  };

  void run_flat(const Job& job);
  /// Starts the first step of the block, and the next steps of others.
  void advance(const Job& job);
  void fetch_codes(const Job& job, Block& block);
  void compare(const Job& job, Block& block);
  void compare_long(const Job& job, const Probe& probe, uint64_t end);
  void take_matches(const Job& job, const Probe* probes, size_t matches);
  void take(const Job& job, const Probe& probe, Word word, uint32_t distance, uint64_t position);
  void ask_nested(const Job& job, const Probe& probe, const HammingImage<Code>& nested);

  std::array<Block, kBlocks> blocks_;
  uint64_t filled_ = 0;  // blocks filled so far, without the current one
  std::vector<kernels::PackedMatch> matches_;
  std::vector<FoundCode> found_;
  std::unique_ptr<HammingSearch> deeper_;  // of nested images
};

extern template class HammingSearch<Fingerprint64>;
extern template class HammingSearch<Fingerprint128>;

}  // namespace neardup
