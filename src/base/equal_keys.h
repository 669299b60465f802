// for_each_equal_key: finds items with equal keys, without sorting all of them. An item is any 32-bit number, such as that of a document.
//
// Keys are scattered by their top bits into buckets that fit the cache, and every bucket is grouped by a small hash table. Memory is 16
// bytes per key; beyond the budget, the keys are processed in several ranges, with one sweep over the parts each. That bounds distinct
// keys; items with one and the same key all fall into one range, at 16 to 32 bytes each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace neardup {

struct KeyParts {
  size_t parts = 0;        ///< number of parts, which are read in parallel, each several times
  uint64_t keys = 0;       ///< an upper bound of their number
  uint32_t key_bits = 64;  ///< keys are uniform in [0, 2^key_bits)
};

namespace equal_keys_detail {

struct Entry {
  uint64_t key;
  uint32_t item;
};
inline constexpr uint64_t kEntriesPerBucket = 4096;
inline constexpr uint32_t kMaxBucketBits = 12;
inline constexpr uint64_t kMinRangeKeys = 1 << 16;

}  // namespace equal_keys_detail

/// The memory of a grouping, for callers that group several times: fresh pages for every band would cost more than the grouping.
class KeySpace {
 public:
  /// At least `count` entries of any value.
  equal_keys_detail::Entry* entries(size_t count) {
    if (count > capacity_) {
      entries_.reset();  // before the larger one is made
      entries_ = std::make_unique_for_overwrite<equal_keys_detail::Entry[]>(count);
      capacity_ = count;
    }
    return entries_.get();
  }

 private:
  std::unique_ptr<equal_keys_detail::Entry[]> entries_;
  size_t capacity_ = 0;
};

namespace equal_keys_detail {

// Open addressing over one bucket; reused from bucket to bucket.
class BucketTable {
 public:
  template <typename Equal>
  void group(const Entry* entries, size_t count, const Equal& equal) {
    if (count < 2) return;
    const size_t slots = std::bit_ceil(count * 2);
    const uint32_t shift = 64 - static_cast<uint32_t>(std::countr_zero(slots));
    first_.assign(slots, kFree);
    for (size_t i = 0; i < count; ++i) {
      size_t slot = (entries[i].key * 0x9E3779B97F4A7C15u) >> shift;
      while (first_[slot] != kFree && entries[first_[slot]].key != entries[i].key) slot = (slot + 1) & (slots - 1);
      if (first_[slot] == kFree) {
        first_[slot] = static_cast<uint32_t>(i);
      } else {
        equal(entries[first_[slot]].item, entries[i].item);
      }
    }
  }

 private:
  static constexpr uint32_t kFree = 0xFFFF'FFFF;
  std::vector<uint32_t> first_;
};

// One range of the keys: those whose top `range_bits` bits are `range`.
class Range {
 public:
  Range(uint32_t threads, const KeyParts& parts, uint32_t range_bits, uint64_t range)
      : threads_(threads), parts_(parts), range_bits_(range_bits), range_(range) {
    const uint64_t expected = parts.keys >> range_bits;
    bucket_bits_ =
        std::min({static_cast<uint32_t>(std::bit_width(expected / kEntriesPerBucket)), kMaxBucketBits, parts.key_bits - range_bits});
  }

  template <typename Read, typename Equal>
  void group(KeySpace& space, const Read& read, const Equal& equal) {
    // Counts per section and bucket, so that every section knows the places of its entries and the order is that of the parts.
    const size_t buckets = size_t{1} << bucket_bits_;
    const size_t sections = std::min<size_t>(parts_.parts, size_t{threads_} * 4);
    std::vector<std::vector<uint64_t>> place(sections, std::vector<uint64_t>(buckets, 0));
    for_sections(sections, read, [&](size_t section, uint64_t key, uint32_t) { ++place[section][bucket_of(key)]; });
    std::vector<uint64_t> begin(buckets + 1, 0);
    uint64_t total = 0;
    for (size_t b = 0; b < buckets; ++b) {
      begin[b] = total;
      for (auto& counts : place) total += std::exchange(counts[b], total);
    }
    begin[buckets] = total;
    Entry* const entries = space.entries(total);
    for_sections(sections, read, [&](size_t section, uint64_t key, uint32_t item) {
      entries[place[section][bucket_of(key)]++] = {key, item};
    });

    std::vector<BucketTable> tables(threads_);
    parallel_for(threads_, buckets, 8,
                 [&](uint32_t worker, size_t b) { tables[worker].group(entries + begin[b], begin[b + 1] - begin[b], equal); });
  }

 private:
  // A section is a run of consecutive parts, processed by one thread.
  template <typename Read, typename Visit>
  void for_sections(size_t sections, const Read& read, const Visit& visit) {
    parallel_for(threads_, sections, 1, [&](uint32_t worker, size_t section) {
      const size_t end = parts_.parts * (section + 1) / sections;
      for (size_t part = parts_.parts * section / sections; part < end; ++part) {
        read(worker, part, [&](uint64_t key, uint32_t item) {
          if (range_bits_ == 0 || key >> (parts_.key_bits - range_bits_) == range_) visit(section, key, item);
        });
      }
    });
  }
  [[nodiscard]] size_t bucket_of(uint64_t key) const noexcept {
    const uint64_t below = key << (64 - parts_.key_bits) << range_bits_;
    return bucket_bits_ == 0 ? 0 : below >> (64 - bucket_bits_);
  }

  uint32_t threads_;
  const KeyParts& parts_;
  uint32_t range_bits_;
  uint64_t range_;
  uint32_t bucket_bits_ = 0;
};

}  // namespace equal_keys_detail

/// Calls equal(first, later) for every item whose key an earlier one (in part order, then emission order) has, with the first item of that
/// key. Calls come from several threads at once, in no fixed order; their set is fixed.
/// read(worker, part, emit) calls emit(key, item) for all keys of a part, the same ones in the same order every time.
template <typename Read, typename Equal>
void for_each_equal_key(uint32_t threads, uint64_t memory_bytes, const KeyParts& parts, KeySpace& space, const Read& read,
                        const Equal& equal) {
  using namespace equal_keys_detail;
  if (parts.keys == 0) return;
  const uint64_t fits = std::max(memory_bytes / sizeof(Entry), kMinRangeKeys);
  const uint32_t range_bits = parts.keys <= fits ? 0 : static_cast<uint32_t>(std::bit_width((parts.keys - 1) / fits));
  for (uint64_t range = 0; range < uint64_t{1} << range_bits; ++range) Range(threads, parts, range_bits, range).group(space, read, equal);
}

}  // namespace neardup
