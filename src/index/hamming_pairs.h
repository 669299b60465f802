// HammingPairs: the pairs of distinct codes of one image within a radius, a chunk of a table at a time. The work of a self-join.
//
// Table by table: every bucket is compared with itself and with the buckets whose prefixes differ from its own in at most the table's
// flips, each two once. Buckets stand in the order of their prefixes, so all of this reads forward. A pair that several tables would
// find belongs to the first of them. A hot bucket is joined through its nested image. A flat image has one table, cut into strips.
//
// One object per thread; chunks are independent of one another, and what a chunk gives depends on the image and the radius only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/hamming_image.h"
#include "index/hamming_search.h"
#include "kernels/kernels.h"

namespace neardup {

/// Places of two distinct codes in table 0, or of the flat codes.
struct PositionPair {
  uint64_t a;
  uint64_t b;
  uint32_t distance;
};

template <typename Code>
class HammingPairs {
 public:
  using Word = CodeWord<Code>;

  /// Requires radius <= the plan's.
  HammingPairs(const HammingImage<Code>& image, uint32_t radius);

  [[nodiscard]] uint64_t chunks() const noexcept { return chunks_; }
  /// Replaces `pairs` by those of a chunk.
  void run(uint64_t chunk, std::vector<PositionPair>& pairs);

 private:
  struct Bucket {
    uint64_t prefix;
    CountRange codes;
    [[nodiscard]] uint64_t size() const noexcept { return codes.end - codes.begin; }
  };
  struct Run {        // of the kernel: one code against some
    uint64_t prefix;  // of the one
    uint64_t other_prefix;
    uint64_t position;
    uint64_t others;
    uint32_t flipped;
  };

  void run_strip(uint64_t strip, std::vector<PositionPair>& pairs);
  void join_buckets(size_t t, const Bucket& a, const Bucket& b, uint32_t flipped);
  void join_nested(size_t t, const Bucket& own, const HammingImage<Code>& nested);
  void ask_nested(size_t t, const Bucket& asking, const Bucket& asked, const HammingImage<Code>& nested, uint32_t flipped);
  void compare(size_t t);
  void take(size_t t, Word a, uint64_t position_a, Word b, uint64_t position_b, uint32_t distance);

  const HammingImage<Code>& image_;
  uint32_t radius_;
  std::span<const int32_t> flips_;
  std::vector<uint64_t> first_chunk_;  // of each table, and the number of all
  uint64_t chunks_ = 0;

  std::vector<PositionPair>* pairs_ = nullptr;
  std::vector<kernels::PackedRun> runs_;
  std::vector<Run> run_list_;
  uint64_t compared_ = 0;
  std::vector<kernels::PackedMatch> matches_;
  HammingSearch<Code> search_;
};

extern template class HammingPairs<Fingerprint64>;
extern template class HammingPairs<Fingerprint128>;

}  // namespace neardup
