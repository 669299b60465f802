#include "index/hamming/key_pairs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/hamming/code_word.h"

namespace neardup {
namespace {

constexpr uint32_t kBlock = 128;       // keys that a kernel call compares with the same number of keys
constexpr uint32_t kOwnTile = 16;      // maximum mean number of keys of a tile when buckets are compared only with themselves
constexpr uint32_t kFlippedTile = 48;  // and when they are compared with others
constexpr uint32_t kDense = 12;        // mean number of keys of a bucket above which loops over single buckets are faster
constexpr size_t kMaxWaiting = 1 << 14;

bool is_dense(uint64_t keys, uint32_t bits) noexcept {
  return keys > uint64_t{kDense} << bits;
}

// The lowest bits of the bucket's number that a tile spans.
uint32_t tile_bits(uint64_t keys, uint32_t bits, uint32_t flips) noexcept {
  if (is_dense(keys, bits)) return 0;
  const uint64_t most = flips == 0 ? kOwnTile : kFlippedTile;
  uint32_t tile = 0;
  while (tile < bits && keys << (tile + 1) <= most << bits) ++tile;
  return tile;
}

}  // namespace

// Big buckets have codes in the table, but none in the chunk: only the stretches between them are unpacked.
template <typename Code>
void KeyChunk<Code>::load(const HammingImage<Code>& image, const HammingTable<Code>& table, uint64_t first, uint32_t count) {
  first_ = first;
  buckets_ = count;
  starts_.resize(count + 1);
  big_.clear();
  begin_ = at_ = image.bucket(table, first).begin;
  outside_ = 0;
  const uint64_t end = image.bucket(table, first + count - 1).end;
  lanes_ = end - begin_ > 4 * uint64_t{count} ? 16 : 8;
  read_starts(image, table);

  keys_.reserve(size());
  const auto unpack = kernels::kernels().unpack_keys;
  uint32_t bucket = 0;
  uint64_t position = begin_;
  for (size_t b = 0; b <= big_.size(); ++b) {  // the stretches between the big buckets
    const uint32_t last = b < big_.size() ? static_cast<uint32_t>(big_[b].prefix - first) : count;
    const uint64_t codes = begin(last) - begin(bucket);
    if (codes != 0) {
      image.check(table.entry(position), codes * table.stride);
      unpack(table.entry(position), table.stride, {starts_.data() + bucket, last - bucket, lanes_}, first + bucket, table.block.width,
             keys_.low(begin(bucket)), keys_.high(begin(bucket)));
    }
    if (b == big_.size()) break;
    bucket = last + 1;
    position = big_[b].codes.end;
  }
}

// Reads a line of the directory at a time instead of two lookups per bucket. Counts of a damaged index may be anything: a bucket that does
// not begin at the end of the previous one counts as endless, which add_bucket() rejects.
template <typename Code>
void KeyChunk<Code>::read_starts(const HammingImage<Code>& image, const HammingTable<Code>& table) {
  const BucketDirectory& counts = table.directory;
  const uint64_t end = first_ + buckets_;
  for (uint64_t bucket = first_; bucket < end;) {
    const BucketSlot slot = counts.slot(bucket);
    const uint64_t next = std::min(end, bucket - slot.place + BucketDirectory::buckets_per_line(counts.count_bytes()));
    image.check(slot.line, BucketDirectory::kLineBytes);
    uint64_t base = 0;
    __builtin_memcpy(&base, slot.line, sizeof base);
    if ((base & BucketDirectory::kSpilled) != 0) {
      for (; bucket < next; ++bucket) {
        const ItemRange range = image.bucket(table, bucket);
        add_bucket(image, bucket, range.begin == at_ ? range.end - range.begin : UINT64_MAX);
      }
    } else if (counts.count_bytes() == 1) {
      read_line<uint8_t>(image, slot, base, bucket, next);
    } else {
      read_line<uint16_t>(image, slot, base, bucket, next);
    }
    if (at_ > image.distinct()) image.refuse("the counts of a table contradict one another: the index is damaged");
    bucket = next;
  }
  starts_[buckets_] = static_cast<uint32_t>(2 * (at_ - begin_ - outside_));
}

// Reads a line as BucketDirectory::range() does, many buckets at once.
template <typename Code>
template <typename Count>
void KeyChunk<Code>::read_line(const HammingImage<Code>& image, BucketSlot slot, uint64_t base, uint64_t bucket, uint64_t end) {
  const char* counts = slot.line + 8 + slot.place * sizeof(Count);
  Count before;  // of the first bucket of the line: the top of the base, a zero
  __builtin_memcpy(&before, counts - sizeof before, sizeof before);
  if (base + before != at_) add_bucket(image, bucket, UINT64_MAX);
  if (kernels::kernels().bucket_starts(counts, sizeof(Count), end - bucket, static_cast<uint32_t>(base - begin_ - outside_), lanes_,
                                       kBigBucket, &starts_[bucket - first_])) {
    Count count;
    __builtin_memcpy(&count, counts + (end - bucket - 1) * sizeof(Count), sizeof count);
    at_ = base + count;
    return;
  }
  for (; bucket < end; ++bucket, counts += sizeof(Count)) {
    Count count;
    __builtin_memcpy(&count, counts, sizeof count);
    add_bucket(image, bucket, base + count - at_);
  }
}

// The lowest bit of a start is set if the bucket has more keys than the kernels have lanes.
template <typename Code>
inline void KeyChunk<Code>::add_bucket(const HammingImage<Code>& image, uint64_t bucket, uint64_t size) {
  const auto start = static_cast<uint32_t>(2 * (at_ - begin_ - outside_));
  starts_[bucket - first_] = start | uint32_t{size > lanes_};
  if (size > kBigBucket) [[unlikely]] {
    if (at_ > image.distinct() || size > image.distinct() - at_) {
      image.refuse("the counts of a table contradict one another: the index is damaged");
    }
    starts_[bucket - first_] = start;
    big_.push_back({bucket, {at_, at_ + size}});
    outside_ += size;
  }
  at_ += size;
}

template <typename Code>
uint64_t KeyChunk<Code>::position(uint32_t key) const noexcept {
  uint64_t position = begin_ + key;
  for (const KeyBucket& bucket : big_) {
    if (position < bucket.codes.begin) break;
    position += bucket.size();
  }
  return position;
}

template <typename Code>
void KeyPairs<Code>::set(uint32_t width, uint32_t flips, uint32_t radius, std::function<void()> full) {
  width_ = width;
  flips_ = flips;
  radius_ = radius;
  full_ = std::move(full);
  matches_.resize(size_t{kBlock} * kBlock);
}

// Comparing a tile with itself covers all flips of its low bits; higher flips lead to another tile. tile_bits() chooses the size of tiles.
template <typename Code>
void KeyPairs<Code>::within(const Chunk& chunk, uint32_t bits) {
  const uint32_t tile = tile_bits(chunk.size(), bits, flips_);
  for (uint32_t bucket = 0; bucket < uint32_t{1} << bits; bucket += uint32_t{1} << tile) {
    compare_own(buckets(chunk, bucket, bucket + (uint32_t{1} << tile)));
  }
  for (uint32_t flipped = 1; flipped <= flips_; ++flipped) {
    for_each_pattern(bits - tile, flipped, [&](uint64_t pattern) {
      flip_tiles(chunk, chunk, bits, tile, static_cast<uint32_t>(pattern) << tile, flips_ - flipped);
    });
  }
}

template <typename Code>
void KeyPairs<Code>::across(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t left) {
  const uint32_t tile = tile_bits(std::max(a.size(), b.size()), bits, flips_);
  for (uint32_t flipped = 0; flipped <= left; ++flipped) {
    for_each_pattern(bits - tile, flipped,
                     [&](uint64_t pattern) { flip_tiles(a, b, bits, tile, static_cast<uint32_t>(pattern) << tile, left - flipped); });
  }
}

// Compares every tile of a with the tile of b whose number differs in exactly this flip; within one chunk, each pair once.
template <typename Code>
void KeyPairs<Code>::flip_tiles(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t tile, uint32_t flip, uint32_t left) {
  const uint32_t all = uint32_t{1} << bits;
  const uint32_t stretch = &a == &b ? std::bit_floor(flip) : all;
  for (uint32_t first = 0; first < all; first += 2 * stretch) {
    if (left == 0 && !is_dense(b.size(), bits)) {
      meet(a, b, bits, first, first + stretch, flip);
      continue;
    }
    for (uint32_t bucket = first; bucket < first + stretch; bucket += uint32_t{1} << tile) {
      const uint32_t other = bucket ^ flip;
      compare(buckets(a, bucket, bucket + (uint32_t{1} << tile)), buckets(b, other, other + (uint32_t{1} << tile)));
    }
  }
}

// No flip is left for the low bits: every key is compared with one bucket, which the kernel finds itself. It stops when its list of matches
// is full, and continues from `begin`.
template <typename Code>
void KeyPairs<Code>::meet(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t first, uint32_t end, uint32_t flip) {
  const uint32_t mask = (uint32_t{1} << bits) - 1;
  const kernels::KeyMeeting meeting{a.keys().from(0), b.keys().from(0), b.buckets(), 64 - width_, mask, flip, radius_};
  const auto near = kernels::kernels().near_meeting;
  uint32_t begin = a.begin(first);
  while (begin < a.begin(end)) {
    const size_t count = near(meeting, &begin, a.begin(end), matches_.data(), matches_.size());
    take({&a.keys(), &a, 0, 0, a.size()}, {&b.keys(), &b, 0, 0, b.size()}, count);
  }
}

template <typename Code>
void KeyPairs<Code>::between(const KeyList& a, const KeyList& b) {
  compare({a.keys, nullptr, a.position, 0, a.count}, {b.keys, nullptr, b.position, 0, b.count});
}

template <typename Code>
void KeyPairs<Code>::inside(const KeyList& list) {
  compare_own({list.keys, nullptr, list.position, 0, list.count});
}

template <typename Code>
void KeyPairs<Code>::compare(const KeyRange& a, const KeyRange& b) {
  const auto near = kernels::kernels().near_keys;
  for (uint32_t i = 0; i < a.count; i += kBlock) {
    const KeyRange part_a = a.part(i, kBlock);
    for (uint32_t j = 0; j < b.count; j += kBlock) {
      const KeyRange part_b = b.part(j, kBlock);
      take(part_a, part_b,
           near(part_a.keys->from(part_a.begin), part_a.count, part_b.keys->from(part_b.begin), part_b.count, radius_, matches_.data()));
    }
  }
}

template <typename Code>
void KeyPairs<Code>::compare_own(const KeyRange& a) {
  const auto near = kernels::kernels().near_own_keys;
  for (uint32_t i = 0; i < a.count; i += kBlock) {
    const KeyRange part = a.part(i, kBlock);
    take(part, part, near(part.keys->from(part.begin), part.count, radius_, matches_.data()));
    if (a.count - i > kBlock) compare(part, a.part(i + kBlock, a.count));
  }
}

template <typename Code>
void KeyPairs<Code>::take(const KeyRange& a, const KeyRange& b, size_t count) {
  constexpr uint32_t kBits = Code::kBits;
  for (size_t m = 0; m < count; ++m) {
    const kernels::KeyMatch& match = matches_[m];
    const auto key_a = (*a.keys)[a.begin + match.a];
    const auto key_b = (*b.keys)[b.begin + match.b];
    // Tiles compare more buckets than the flips allow; another table reports the extra pairs.
    if (bit_count((key_a ^ key_b) >> (kBits - width_)) > flips_) continue;
    found_.push_back({key_a, key_b, a.position_of(match.a), b.position_of(match.b), match.distance});
  }
  if (found_.size() >= kMaxWaiting) full_();
}

template class KeyChunk<Fingerprint64>;
template class KeyChunk<Fingerprint128>;
template class KeyPairs<Fingerprint64>;
template class KeyPairs<Fingerprint128>;

}  // namespace neardup
