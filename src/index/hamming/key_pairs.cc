#include "index/hamming/key_pairs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/hamming/hamming_search.h"

namespace neardup {
namespace {

constexpr uint32_t kBlock = 128;       // keys a call of the kernel compares with as many
constexpr uint32_t kOwnTile = 16;      // keys a tile has at most in the mean, when buckets meet only themselves
constexpr uint32_t kFlippedTile = 48;  // and when they meet others
constexpr uint32_t kDense = 12;        // keys a bucket has in the mean, from which on loops over single buckets are quicker
constexpr size_t kMostWaiting = 1 << 14;

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

template <typename Code>
void KeyPairs<Code>::set(uint32_t width, uint32_t flips, uint32_t radius, std::function<void()> full) {
  width_ = width;
  flips_ = flips;
  radius_ = radius;
  full_ = std::move(full);
  matches_.resize(size_t{kBlock} * kBlock);
}

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

// Every tile of a with the one of b whose number differs in just this flip. In one chunk, each two once.
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
void KeyPairs<Code>::between(const List& a, const List& b) {
  compare({a.keys, nullptr, a.position, 0, a.count}, {b.keys, nullptr, b.position, 0, b.count});
}

template <typename Code>
void KeyPairs<Code>::inside(const List& list) {
  compare_own({list.keys, nullptr, list.position, 0, list.count});
}

template <typename Code>
void KeyPairs<Code>::compare(const Range& a, const Range& b) {
  const auto near = kernels::kernels().near_keys;
  for (uint32_t i = 0; i < a.count; i += kBlock) {
    const Range part_a = a.part(i, kBlock);
    for (uint32_t j = 0; j < b.count; j += kBlock) {
      const Range part_b = b.part(j, kBlock);
      take(part_a, part_b,
           near(part_a.keys->from(part_a.begin), part_a.count, part_b.keys->from(part_b.begin), part_b.count, radius_, matches_.data()));
    }
  }
}

template <typename Code>
void KeyPairs<Code>::compare_own(const Range& a) {
  const auto near = kernels::kernels().near_own_keys;
  for (uint32_t i = 0; i < a.count; i += kBlock) {
    const Range part = a.part(i, kBlock);
    take(part, part, near(part.keys->from(part.begin), part.count, radius_, matches_.data()));
    if (a.count - i > kBlock) compare(part, a.part(i + kBlock, a.count));
  }
}

template <typename Code>
void KeyPairs<Code>::take(const Range& a, const Range& b, size_t count) {
  constexpr uint32_t kBits = Code::kBits;
  for (size_t m = 0; m < count; ++m) {
    const kernels::KeyMatch& match = matches_[m];
    const auto key_a = (*a.keys)[a.begin + match.a];
    const auto key_b = (*b.keys)[b.begin + match.b];
    if (bit_count((key_a ^ key_b) >> (kBits - width_)) > flips_) continue;
    found_.push_back({key_a, key_b, a.position_of(match.a), b.position_of(match.b), match.distance});
  }
  if (found_.size() >= kMostWaiting) full_();
}

template class KeyPairs<Fingerprint64>;
template class KeyPairs<Fingerprint128>;

}  // namespace neardup
