#include "index/hamming_pairs.h"

#include <algorithm>
#include <bit>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kChunkCodes = 1 << 14;   // of a table, in the mean
constexpr uint64_t kStrip = 256;            // codes of a flat image
constexpr uint64_t kRunCodes = 4096;        // compared in one call of the kernel
constexpr uint64_t kWorthAsking = 1 << 16;  // comparisons of two buckets, from which on a nested image is quicker

uint64_t chunk_buckets(uint64_t buckets, uint64_t codes) noexcept {
  return std::max<uint64_t>(1, codes <= kChunkCodes ? buckets : buckets / (codes / kChunkCodes));
}

}  // namespace

template <typename Code>
HammingPairs<Code>::HammingPairs(const HammingImage<Code>& image, uint32_t radius)
    : image_(image), radius_(radius), flips_(image.flips(radius)), matches_(kRunCodes) {
  if (image.distinct() < 2 || radius == 0) return;
  if (image.tables().empty()) {
    chunks_ = (image.distinct() + kStrip - 1) / kStrip;
    return;
  }
  for (size_t t = 0; t < flips_.size(); ++t) {
    first_chunk_.push_back(chunks_);
    if (flips_[t] < 0) continue;
    const uint64_t buckets = uint64_t{1} << image.tables()[t].block.width;
    const uint64_t each = chunk_buckets(buckets, image.distinct());
    chunks_ += (buckets + each - 1) / each;
  }
  first_chunk_.push_back(chunks_);
}

template <typename Code>
void HammingPairs<Code>::run(uint64_t chunk, std::vector<PositionPair>& pairs) {
  pairs.clear();
  if (image_.tables().empty()) return run_strip(chunk, pairs);
  pairs_ = &pairs;
  const size_t t = static_cast<size_t>(std::ranges::upper_bound(first_chunk_, chunk) - first_chunk_.begin()) - 1;
  const HammingTable<Code>& table = image_.tables()[t];
  const uint64_t buckets = uint64_t{1} << table.block.width;
  const uint64_t each = chunk_buckets(buckets, image_.distinct());
  const uint64_t first = (chunk - first_chunk_[t]) * each;
  for (uint64_t prefix = first; prefix < std::min(buckets, first + each); ++prefix) {
    const Bucket own{prefix, image_.bucket(table, prefix)};
    if (own.size() == 0) continue;
    join_buckets(t, own, own, 0);
    for (int32_t flipped = 1; flipped <= flips_[t]; ++flipped) {
      for_each_pattern(table.block.width, static_cast<uint32_t>(flipped), [&](uint64_t pattern) {
        const uint64_t other = prefix ^ pattern;
        if (other < prefix) return;
        const Bucket partner{other, image_.bucket(table, other)};
        if (partner.size() != 0) join_buckets(t, own, partner, static_cast<uint32_t>(flipped));
      });
    }
  }
  compare(t);
}

template <typename Code>
void HammingPairs<Code>::join_buckets(size_t t, const Bucket& a, const Bucket& b, uint32_t flipped) {
  const bool same = a.prefix == b.prefix;
  if (a.size() * b.size() > kWorthAsking) {
    const Bucket& larger = b.size() > a.size() ? b : a;
    const HammingImage<Code>* nested = larger.size() > kHotBucket ? image_.nested(t, larger.prefix) : nullptr;
    if (nested != nullptr && same) return join_nested(t, a, *nested);
    if (nested != nullptr) return ask_nested(t, b.size() > a.size() ? a : b, larger, *nested, flipped);
  }
  const HammingTable<Code>& table = image_.tables()[t];
  image_.check(table.entry(a.codes.begin), a.size() * table.stride);
  if (!same) image_.check(table.entry(b.codes.begin), b.size() * table.stride);
  for (uint64_t i = a.codes.begin; i < a.codes.end; ++i) {
    const Word query = table.remainder(i);
    uint64_t high = 0;
    if constexpr (Code::kBits == 128) high = static_cast<uint64_t>(query >> 64);
    for (uint64_t j = same ? i + 1 : b.codes.begin; j < b.codes.end; j += kRunCodes) {
      const uint64_t count = std::min(kRunCodes, b.codes.end - j);
      if (compared_ + count > kRunCodes) compare(t);
      compared_ += count;
      runs_.push_back({table.entry(j), static_cast<uint64_t>(query), high, static_cast<uint32_t>(count), table.stride, radius_ - flipped});
      run_list_.push_back({a.prefix, b.prefix, i, j, flipped});
    }
  }
}

template <typename Code>
void HammingPairs<Code>::compare(size_t t) {
  const HammingTable<Code>& table = image_.tables()[t];
  const size_t count = kernels::kernels().hamming_packed(runs_.data(), runs_.size(), Code::kBits == 128, matches_.data());
  for (size_t m = 0; m < count; ++m) {
    const kernels::PackedMatch& match = matches_[m];
    const Run& run = run_list_[match.run];
    const uint64_t other = run.others + match.code;
    const Word a = join_parts(run.prefix, table.remainder(run.position), table.block);
    const Word b = join_parts(run.other_prefix, table.remainder(other), table.block);
    const uint64_t unknown = HammingSearch<Code>::kUnknown;
    take(t, a, t == 0 ? run.position : unknown, b, t == 0 ? other : unknown, match.distance + run.flipped);
  }
  runs_.clear();
  run_list_.clear();
  compared_ = 0;
}

template <typename Code>
void HammingPairs<Code>::take(size_t t, Word a, uint64_t position_a, Word b, uint64_t position_b, uint32_t distance) {
  const Word difference = a ^ b;
  for (size_t earlier = 0; earlier < t; ++earlier) {
    if (static_cast<int32_t>(bit_count(prefix_of(difference, image_.tables()[earlier].block))) <= flips_[earlier]) return;
  }
  const auto place = [&](Word word, uint64_t position) {
    return position != HammingSearch<Code>::kUnknown ? position : image_.require(word);
  };
  pairs_->push_back({place(a, position_a), place(b, position_b), distance});
}

template <typename Code>
void HammingPairs<Code>::join_nested(size_t t, const Bucket& own, const HammingImage<Code>& nested) {
  HammingPairs inner(nested, std::min(radius_, nested.plan().radius));
  std::vector<PositionPair> found;
  const HammingTable<Code>& table = image_.tables()[t];
  image_.check(table.entry(own.codes.begin), own.size() * table.stride);
  for (uint64_t chunk = 0; chunk < inner.chunks(); ++chunk) {
    inner.run(chunk, found);
    for (const PositionPair& pair : found) {
      const auto word = [&](uint64_t position) { return image_.order().reorder(nested.order().restore(nested.word(position))); };
      take(t, word(pair.a), HammingSearch<Code>::kUnknown, word(pair.b), HammingSearch<Code>::kUnknown, pair.distance);
    }
  }
}

// The asking codes get the asked bucket's prefix, so that the flipped bits count apart.
template <typename Code>
void HammingPairs<Code>::ask_nested(size_t t, const Bucket& asking, const Bucket& asked, const HammingImage<Code>& nested,
                                    uint32_t flipped) {
  const HammingTable<Code>& table = image_.tables()[t];
  image_.check(table.entry(asking.codes.begin), asking.size() * table.stride);
  for (uint64_t i = asking.codes.begin; i < asking.codes.end; ++i) {
    const Word own = join_parts(asking.prefix, table.remainder(i), table.block);
    const Word moved = join_parts(asked.prefix, table.remainder(i), table.block);
    const Word query = nested.order().reorder(image_.order().restore(moved));
    search_.run(nested, std::span(&query, 1), radius_ - flipped);
    for (const auto& found : search_.found()) {
      const Word other = image_.order().reorder(nested.order().restore(found.word));
      take(t, own, t == 0 ? i : HammingSearch<Code>::kUnknown, other, HammingSearch<Code>::kUnknown, found.distance + flipped);
    }
  }
}

template <typename Code>
void HammingPairs<Code>::run_strip(uint64_t strip, std::vector<PositionPair>& pairs) {
  const auto near = kernels::kernels().hamming_near;
  constexpr uint64_t kBlock = kernels::kCodeBlock;
  const uint64_t* low = image_.flat_low();
  const uint64_t* high = image_.flat_high();
  const uint64_t count = image_.distinct();
  const uint64_t end = std::min(count, (strip + 1) * kStrip);
  const uint64_t padded = (count + kBlock - 1) / kBlock * kBlock;
  image_.check(low, padded * 8);
  if (high != nullptr) image_.check(high, padded * 8);
  for (uint64_t i = strip * kStrip; i < end; ++i) {
    for (uint64_t block = (i + 1) / kBlock * kBlock; block < count; block += kBlock) {
      uint64_t bits = near(low + block, high == nullptr ? nullptr : high + block, low[i], high == nullptr ? 0 : high[i], radius_);
      if (block <= i) bits &= ~low_mask<uint64_t>(static_cast<uint32_t>(i + 1 - block));
      if (count - block < kBlock) bits &= low_mask<uint64_t>(static_cast<uint32_t>(count - block));
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t j = block + static_cast<uint64_t>(std::countr_zero(bits));
        pairs.push_back({i, j, bit_count(image_.flat_word(i) ^ image_.flat_word(j))});
      }
    }
  }
}

template class HammingPairs<Fingerprint64>;
template class HammingPairs<Fingerprint128>;

}  // namespace neardup
