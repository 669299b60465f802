// HammingPairs: the pairs of distinct codes of one image within a radius, a chunk of a table at a time. The work of a self-join.
//
// Table by table, and 2^bits consecutive buckets at a time: all buckets of such a chunk are compared with themselves, with one another and
// with those of later chunks, if their numbers differ in at most the table's flips. Chunks are unpacked once per chunk that they are
// compared with, so that all reads are sequential. A pair that several tables would find belongs to the first of them. A hot bucket is
// joined through its nested image. A flat image has one table, cut into strips.
//
// One object per thread; chunks are independent, and the pairs of a chunk depend only on the image and the radius.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/hamming/hamming_image.h"
#include "index/hamming/hamming_search.h"
#include "index/hamming/key_pairs.h"

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
  void run(uint64_t chunk, std::vector<PositionPair>& pairs) { run(chunk, pairs, {}); }
  /// The same, but calls full(), unless it is empty, whenever `pairs` has at least kManyPairs; full() clears them. Some may remain at the
  /// end. So even codes that are all near one another, with a quadratic number of pairs, need little memory.
  void run(uint64_t chunk, std::vector<PositionPair>& pairs, const std::function<void()>& full);
  static constexpr size_t kManyPairs = 1 << 14;

 private:
  void run_strip(uint64_t strip);
  // Some keys of a bucket that is too big for a chunk.
  struct Piece {
    size_t table = SIZE_MAX;
    KeyBucket bucket = {};
    KeyWords<Code> keys;
  };

  void join_big(size_t t, const KeyChunk<Code>& a, const KeyChunk<Code>& b, uint32_t left);
  void join_buckets(size_t t, const KeyBucket& a, const KeyBucket& b, uint32_t flipped);
  void compare(size_t t, const KeyBucket& a, const KeyBucket& b);
  typename KeyPairs<Code>::KeyList unpack(size_t t, const KeyBucket& bucket, Piece& piece);
  void join_nested(size_t t, const HammingImage<Code>& nested);
  void ask_nested(size_t t, const KeyBucket& asking, const KeyBucket& asked, const HammingImage<Code>& nested, uint32_t flipped);
  void take_found(size_t t);
  void take(size_t t, Word a, uint64_t position_a, Word b, uint64_t position_b, uint32_t distance);
  void push(const PositionPair& pair);

  const HammingImage<Code>& image_;
  uint32_t radius_;
  std::span<const int32_t> flips_;
  std::vector<uint32_t> chunk_bits_;   // of each table
  std::vector<uint64_t> first_chunk_;  // of each table, and the number of all
  uint64_t chunks_ = 0;

  std::vector<PositionPair>* pairs_ = nullptr;
  const std::function<void()>* full_ = nullptr;
  KeyChunk<Code> own_;
  KeyChunk<Code> other_;
  Piece piece_a_;
  Piece piece_b_;
  KeyPairs<Code> near_;
  HammingSearch<Code> search_;
};

extern template class HammingPairs<Fingerprint64>;
extern template class HammingPairs<Fingerprint128>;

}  // namespace neardup
