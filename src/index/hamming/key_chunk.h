// KeyChunk: some consecutive buckets of a table, unpacked: their keys as words next to each other, and where each bucket begins.
//
// A key is the bucket's number above the remainder. Big buckets stay outside, on a list: so a chunk has a bound, however skewed the data
// are. Reused from chunk to chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "index/hamming/hamming_image.h"
#include "kernels/kernels.h"

namespace neardup {

/// Consecutive codes of a table that share a bucket.
struct KeyBucket {
  uint64_t prefix;
  CountRange codes;  // positions in the table
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
  std::vector<uint64_t> low_;  // the kernels look at what stands after the last one
  std::vector<uint64_t> high_;
};

template <typename Code>
class KeyChunk {
 public:
  /// Buckets with more codes are big.
  static constexpr uint64_t kBigBucket = 256;

  /// Buckets [first, first + count) of a table, at most 2^20; they exist. Throws Error{kInput} when the table's counts make no sense.
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
  void read_line(const HammingImage<Code>& image, CountLines::Slot slot, uint64_t base, uint64_t bucket, uint64_t end);
  void add_bucket(const HammingImage<Code>& image, uint64_t bucket, uint64_t size);

  uint64_t first_ = 0;
  uint32_t buckets_ = 0;
  uint32_t lanes_ = 8;
  uint64_t begin_ = 0;    // position of the first code of the chunk
  uint64_t at_ = 0;       // end of the buckets read so far
  uint64_t outside_ = 0;  // codes of those that are big
  std::vector<uint32_t> starts_;
  std::vector<KeyBucket> big_;
  KeyWords<Code> keys_;
};

extern template class KeyChunk<Fingerprint64>;
extern template class KeyChunk<Fingerprint128>;

}  // namespace neardup
