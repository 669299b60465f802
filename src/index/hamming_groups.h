// for_each_masked_group: which codes agree in the bits of a mask. The grouping step of the Hamming self-join.
//
// Codes are scattered by a hash of their masked bits into buckets that fit the cache, and every bucket is sorted. Memory is an entry (16
// or 24 bytes) a code; when that exceeds what is given, the buckets are taken in several ranges, one sweep over the codes each. Codes with
// one and the same key all fall into one range.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "neardup/fingerprint.h"

namespace neardup {

constexpr Fingerprint64 masked(Fingerprint64 code, const Fingerprint128& mask) noexcept {
  return {code.low & mask.low};
}
constexpr Fingerprint128 masked(Fingerprint128 code, const Fingerprint128& mask) noexcept {
  return {code.high & mask.high, code.low & mask.low};
}
constexpr uint64_t scatter_hash(Fingerprint64 code) noexcept {
  return mix64(code.low + 1);
}
constexpr uint64_t scatter_hash(Fingerprint128 code) noexcept {
  return mix64(mix64(code.high + 1) ^ code.low);
}

template <typename Code>
struct CodeEntry {
  Code code;
  uint32_t index;
};

template <typename Code>
using CodeGroup = std::span<const CodeEntry<Code>>;

/// Threads, and a bound of the memory for entries.
struct HammingRun {
  uint32_t threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;
};

namespace hamming_detail {

inline constexpr uint64_t kEntriesPerBucket = 2048;
inline constexpr uint32_t kMaxBucketBits = 12;
inline constexpr uint64_t kLeastRange = 1 << 14;

// The entries of those codes whose hash begins with `range`, in buckets, each bucket in the order of the codes.
template <typename Code>
class Buckets {
 public:
  using Entry = CodeEntry<Code>;

  Buckets(std::span<const Code> codes, const Fingerprint128& mask, uint32_t threads, uint32_t range_bits, uint32_t bucket_bits)
      : codes_(codes), mask_(mask), threads_(threads), range_bits_(range_bits), bucket_bits_(bucket_bits) {}

  void fill(uint64_t range) {
    const size_t buckets = size_t{1} << bucket_bits_;
    const size_t sections = std::max<size_t>(1, std::min<size_t>(codes_.size() / kEntriesPerBucket, size_t{threads_} * 4));
    std::vector<std::vector<uint64_t>> place(sections, std::vector<uint64_t>(buckets, 0));
    for_sections(sections, range, [&](size_t section, size_t bucket, uint32_t) { ++place[section][bucket]; });
    begin_.assign(buckets + 1, 0);
    uint64_t total = 0;
    for (size_t b = 0; b < buckets; ++b) {
      begin_[b] = total;
      for (auto& counts : place) total += std::exchange(counts[b], total);
    }
    begin_[buckets] = total;
    entries_.resize(total);
    for_sections(sections, range, [&](size_t section, size_t bucket, uint32_t i) { entries_[place[section][bucket]++] = {codes_[i], i}; });
  }

  [[nodiscard]] size_t size() const noexcept { return begin_.size() - 1; }
  std::span<Entry> operator[](size_t bucket) noexcept { return {entries_.data() + begin_[bucket], begin_[bucket + 1] - begin_[bucket]}; }

 private:
  template <typename Visit>
  void for_sections(size_t sections, uint64_t range, const Visit& visit) {
    parallel_for(threads_, sections, 1, [&](uint32_t, size_t section) {
      const size_t end = codes_.size() * (section + 1) / sections;
      for (size_t i = codes_.size() * section / sections; i < end; ++i) {
        const uint64_t hash = scatter_hash(masked(codes_[i], mask_));
        if (range_bits_ != 0 && hash >> (64 - range_bits_) != range) continue;
        visit(section, bucket_bits_ == 0 ? 0 : hash << range_bits_ >> (64 - bucket_bits_), static_cast<uint32_t>(i));
      }
    });
  }

  std::span<const Code> codes_;
  Fingerprint128 mask_;
  uint32_t threads_;
  uint32_t range_bits_;
  uint32_t bucket_bits_;
  std::vector<uint64_t> begin_;
  std::vector<Entry> entries_;
};

}  // namespace hamming_detail

/// Calls small(worker, group) from several threads for every group of 2 to `large` - 1 codes that agree in the mask, and then
/// large_group(group), one after the other on the calling thread, for the others. A group is in ascending order of the indexes. Groups
/// come in no fixed order; their set is fixed. Requires codes.size() <= limits::kMaxDocuments.
template <typename Code, typename Small, typename Large>
void for_each_masked_group(std::span<const Code> codes, const Fingerprint128& mask, const HammingRun& run, size_t large, const Small& small,
                           const Large& large_group) {
  using namespace hamming_detail;
  using Entry = CodeEntry<Code>;
  if (codes.size() < 2) return;
  const uint64_t fits = std::max(run.memory_bytes / sizeof(Entry), kLeastRange);
  const auto range_bits = codes.size() <= fits ? 0u : static_cast<uint32_t>(std::bit_width((codes.size() - 1) / fits));
  const uint64_t expected = codes.size() >> range_bits;
  const uint32_t bucket_bits = std::min(static_cast<uint32_t>(std::bit_width(expected / kEntriesPerBucket)), kMaxBucketBits);
  Buckets<Code> buckets(codes, mask, run.threads, range_bits, bucket_bits);
  for (uint64_t range = 0; range < uint64_t{1} << range_bits; ++range) {
    buckets.fill(range);
    std::mutex mutex;
    std::vector<CodeGroup<Code>> large_groups;
    parallel_for(run.threads, buckets.size(), 1, [&](uint32_t worker, size_t b) {
      const std::span<Entry> bucket = buckets[b];
      std::sort(bucket.begin(), bucket.end(), [&](const Entry& x, const Entry& y) {
        const Code key_x = masked(x.code, mask);
        const Code key_y = masked(y.code, mask);
        return key_x != key_y ? key_x < key_y : x.index < y.index;
      });
      for (size_t begin = 0, end = 0; begin < bucket.size(); begin = end) {
        const Code key = masked(bucket[begin].code, mask);
        for (end = begin + 1; end < bucket.size() && masked(bucket[end].code, mask) == key;) ++end;
        const CodeGroup<Code> group = bucket.subspan(begin, end - begin);
        if (group.size() >= large) {
          const std::lock_guard lock(mutex);
          large_groups.push_back(group);
        } else if (group.size() > 1) {
          small(worker, group);
        }
      }
    });
    for (const CodeGroup<Code> group : large_groups) large_group(group);
  }
}

}  // namespace neardup
