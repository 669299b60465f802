// KeyPairs: the pairs of near keys in unpacked buckets of one table. The hot loops of a self-join.
//
// The table's flips decide which buckets are compared. Flips of the lowest bits of the bucket's number stay inside a tile of consecutive
// buckets, whose keys are compared with all keys of that or another tile in plain loops: a few extra comparisons cost less than selecting
// the right ones. Flips of higher bits lead from every tile to another one; when they use up all flips, every key is compared with exactly
// one bucket there. Pairs whose buckets differ in more bits than the flips are left out.
//
// A KeyChunk holds some consecutive buckets, unpacked. Big buckets are kept outside, in a list, so that a chunk is bounded even for skewed
// data. All buffers are reused from chunk to chunk; one object per thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "index/hamming/hamming_image.h"
#include "kernels/kernels.h"

namespace neardup {

/// Consecutive codes of a table that share a bucket.
struct KeyBucket {
  uint64_t prefix;
  ItemRange codes;  // positions in the table
  [[nodiscard]] uint64_t size() const noexcept { return codes.end - codes.begin; }
  friend bool operator==(const KeyBucket&, const KeyBucket&) = default;
};

/// Keys as words.
template <typename Code>
class KeyWords {
 public:
  using Word = CodeWord<Code>;

  /// Room for so many.
  void reserve(size_t count) {
    if (count + kernels::kKeySlack <= low_.size()) return;
    low_.resize(count + kernels::kKeySlack);
    if constexpr (Code::kBits == 128) high_.resize(low_.size());
  }
  [[nodiscard]] uint64_t* low(size_t i) noexcept { return low_.data() + i; }
  [[nodiscard]] uint64_t* high(size_t i) noexcept { return Code::kBits == 64 ? nullptr : high_.data() + i; }
  [[nodiscard]] kernels::Keys from(size_t i) const noexcept { return {low_.data() + i, Code::kBits == 64 ? nullptr : high_.data() + i}; }
  [[nodiscard]] Word operator[](size_t i) const noexcept {
    if constexpr (Code::kBits == 64)
      return low_[i];
    else
      return Word{high_[i]} << 64 | low_[i];
  }

 private:
  std::vector<uint64_t> low_;  // the kernels read past the last one
  std::vector<uint64_t> high_;
};

/// Some consecutive buckets of a table: their keys as consecutive words, and the start of each bucket. A key is the bucket's number above
/// the remainder.
template <typename Code>
class KeyChunk {
 public:
  /// Buckets with more codes are big.
  static constexpr uint64_t kBigBucket = 256;

  /// Buckets [first, first + count) of a table, at most 2^20; they exist. Throws Error{kInput} when the table's counts are inconsistent.
  void load(const HammingImage<Code>& image, const HammingTable<Code>& table, uint64_t first, uint32_t count);

  [[nodiscard]] uint64_t first_bucket() const noexcept { return first_; }
  [[nodiscard]] const KeyWords<Code>& keys() const noexcept { return keys_; }
  [[nodiscard]] uint32_t size() const noexcept { return begin(buckets_); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0 && big_.empty(); }
  /// The first key of a bucket, which is counted from the first one of the chunk; big ones have none.
  [[nodiscard]] uint32_t begin(uint32_t bucket) const noexcept { return starts_[bucket] / 2; }
  [[nodiscard]] kernels::KeyBuckets buckets() const noexcept { return {starts_.data(), buckets_, lanes_}; }
  /// In the order of their buckets.
  [[nodiscard]] const std::vector<KeyBucket>& big() const noexcept { return big_; }
  /// Of a key, in its table.
  [[nodiscard]] uint64_t position(uint32_t key) const noexcept;

 private:
  void read_starts(const HammingImage<Code>& image, const HammingTable<Code>& table);
  template <typename Count>
  void read_line(const HammingImage<Code>& image, BucketSlot slot, uint64_t base, uint64_t bucket, uint64_t end);
  void add_bucket(const HammingImage<Code>& image, uint64_t bucket, uint64_t size);

  uint64_t first_ = 0;
  uint32_t buckets_ = 0;
  uint32_t lanes_ = 8;
  uint64_t begin_ = 0;    // position of the first code of the chunk
  uint64_t at_ = 0;       // end of the buckets read so far
  uint64_t outside_ = 0;  // codes in big buckets
  std::vector<uint32_t> starts_;
  std::vector<KeyBucket> big_;
  KeyWords<Code> keys_;
};

template <typename Code>
struct KeyPair {
  CodeWord<Code> a;  // keys
  CodeWord<Code> b;
  uint64_t position_a;  // in the table
  uint64_t position_b;
  uint32_t distance;
};

template <typename Code>
class KeyPairs {
 public:
  using Chunk = KeyChunk<Code>;

  /// Consecutive keys of one bucket, or of a part of it.
  struct KeyList {
    const KeyWords<Code>* keys;
    uint64_t position;  // of the first one
    uint32_t count;
  };

  /// Parameters of the following calls: the width of the table's block, the bits that buckets and keys may differ in. full() is called
  /// whenever very many pairs were found, and clears them, so that a call for dense keys needs no memory for all of their pairs.
  void set(uint32_t width, uint32_t flips, uint32_t radius, std::function<void()> full);

  /// All pairs of a chunk of 2^bits buckets, without big ones.
  void within(const Chunk& chunk, uint32_t bits);
  /// All pairs of a key of one and a key of the other chunk, whose first buckets differ in all but `left` of the flips.
  void across(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t left);
  /// All pairs of a key of one and a key of the other list.
  void between(const KeyList& a, const KeyList& b);
  void inside(const KeyList& list);

  /// The pairs found since the last full(); the caller clears them.
  [[nodiscard]] std::vector<KeyPair<Code>>& found() noexcept { return found_; }

 private:
  // A range of the keys of a chunk or list.
  struct KeyRange {
    const KeyWords<Code>* keys;
    const Chunk* chunk;  // null: a list
    uint64_t position;   // of the first key of the list
    uint32_t begin;
    uint32_t count;
    [[nodiscard]] uint64_t position_of(uint32_t i) const noexcept {
      return chunk != nullptr ? chunk->position(begin + i) : position + begin + i;
    }
    [[nodiscard]] KeyRange part(uint32_t from, uint32_t most) const noexcept {
      return {keys, chunk, position, begin + from, count - from < most ? count - from : most};
    }
  };

  [[nodiscard]] static KeyRange buckets(const Chunk& chunk, uint32_t first, uint32_t end) noexcept {
    return {&chunk.keys(), &chunk, 0, chunk.begin(first), chunk.begin(end) - chunk.begin(first)};
  }
  void flip_tiles(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t tile, uint32_t flip, uint32_t left);
  void meet(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t first, uint32_t end, uint32_t flip);
  void compare(const KeyRange& a, const KeyRange& b);
  void compare_own(const KeyRange& a);
  void take(const KeyRange& a, const KeyRange& b, size_t count);

  uint32_t width_ = 0;
  uint32_t flips_ = 0;
  uint32_t radius_ = 0;
  std::function<void()> full_;
  std::vector<kernels::KeyMatch> matches_;
  std::vector<KeyPair<Code>> found_;
};

extern template class KeyChunk<Fingerprint64>;
extern template class KeyChunk<Fingerprint128>;
extern template class KeyPairs<Fingerprint64>;
extern template class KeyPairs<Fingerprint128>;

}  // namespace neardup
