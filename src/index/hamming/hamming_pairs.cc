#include "index/hamming/hamming_pairs.h"

#include <algorithm>
#include <bit>

#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint64_t kChunkCodes = 1 << 15;     // of a table, in the mean: two chunks fit into the cache of a core
constexpr uint32_t kChunkBits = 16;           // at most
constexpr uint64_t kStrip = 256;              // codes of a flat image
constexpr uint64_t kPiece = 4096;             // codes of a big bucket that are unpacked at once
constexpr uint64_t kMinNestedJoin = 1 << 16;  // comparisons of two buckets above which a nested image is faster

uint32_t bits_of_chunk(uint32_t width, uint64_t codes) noexcept {
  const auto chunks = static_cast<uint32_t>(std::bit_width(codes / kChunkCodes));
  return std::min(kChunkBits, width - std::min(width, chunks));
}

}  // namespace

template <typename Code>
HammingPairs<Code>::HammingPairs(const HammingImage<Code>& image, uint32_t radius)
    : image_(image), radius_(radius), flips_(image.flips(radius)) {
  if (image.distinct() < 2 || radius == 0) return;
  if (image.tables().empty()) {
    chunks_ = (image.distinct() + kStrip - 1) / kStrip;
    return;
  }
  for (size_t t = 0; t < flips_.size(); ++t) {
    const uint32_t width = image.tables()[t].block.width;
    chunk_bits_.push_back(bits_of_chunk(width, image.distinct()));
    first_chunk_.push_back(chunks_);
    if (flips_[t] >= 0) chunks_ += uint64_t{1} << (width - chunk_bits_[t]);
  }
  first_chunk_.push_back(chunks_);
}

template <typename Code>
void HammingPairs<Code>::run(uint64_t chunk, std::vector<PositionPair>& pairs, const std::function<void()>& full) {
  pairs.clear();
  pairs_ = &pairs;
  full_ = &full;
  if (image_.tables().empty()) return run_strip(chunk);
  const size_t t = static_cast<size_t>(std::ranges::upper_bound(first_chunk_, chunk) - first_chunk_.begin()) - 1;
  const HammingTable<Code>& table = image_.tables()[t];
  const uint32_t bits = chunk_bits_[t];
  const auto flips = static_cast<uint32_t>(flips_[t]);
  const uint64_t number = chunk - first_chunk_[t];
  own_.load(image_, table, number << bits, uint32_t{1} << bits);
  if (own_.empty()) return;
  near_.set(table.block.width, flips, radius_, [this, t] { take_found(t); });
  near_.within(own_, bits);
  take_found(t);
  join_big(t, own_, own_, flips);
  for (uint32_t flipped = 1; flipped <= flips; ++flipped) {
    for_each_pattern(table.block.width - bits, flipped, [&](uint64_t pattern) {
      const uint64_t other = number ^ pattern;
      if (other < number) return;
      check_stop();  // with many flips a chunk has thousands of partners
      other_.load(image_, table, other << bits, uint32_t{1} << bits);
      near_.across(own_, other_, bits, flips - flipped);
      take_found(t);
      join_big(t, own_, other_, flips - flipped);
    });
  }
}

// The pairs of buckets, at least one of them big.
template <typename Code>
void HammingPairs<Code>::join_big(size_t t, const KeyChunk<Code>& a, const KeyChunk<Code>& b, uint32_t left) {
  const HammingTable<Code>& table = image_.tables()[t];
  const bool same = &a == &b;
  const uint64_t apart = a.first_bucket() ^ b.first_bucket();
  const auto each_partner = [&](const KeyBucket& big, const auto& join) {
    for (uint32_t flipped = 0; flipped <= left; ++flipped) {
      for_each_pattern(chunk_bits_[t], flipped, [&](uint64_t pattern) {
        const uint64_t prefix = big.prefix ^ apart ^ pattern;
        const KeyBucket partner{prefix, image_.bucket(table, prefix)};
        if (partner.size() != 0) join(partner, bit_count(apart ^ pattern));
      });
    }
  };
  for (const KeyBucket& big : a.big()) {
    each_partner(big, [&](const KeyBucket& partner, uint32_t flipped) {
      const bool seen = same && partner.prefix < big.prefix && partner.size() > KeyChunk<Code>::kBigBucket;
      if (!seen) join_buckets(t, big, partner, flipped);
    });
  }
  if (same) return;
  for (const KeyBucket& big : b.big()) {
    each_partner(big, [&](const KeyBucket& partner, uint32_t flipped) {
      if (partner.size() <= KeyChunk<Code>::kBigBucket) join_buckets(t, partner, big, flipped);
    });
  }
}

template <typename Code>
void HammingPairs<Code>::join_buckets(size_t t, const KeyBucket& a, const KeyBucket& b, uint32_t flipped) {
  if (a.size() * b.size() > kMinNestedJoin) {
    const KeyBucket& larger = b.size() > a.size() ? b : a;
    const HammingImage<Code>* nested = larger.size() > kHotBucket ? image_.nested(t, larger.prefix) : nullptr;
    if (nested != nullptr && a.prefix == b.prefix) return join_nested(t, *nested);
    if (nested != nullptr) return ask_nested(t, b.size() > a.size() ? a : b, larger, *nested, flipped);
  }
  compare(t, a, b);
}

// All with all, piece by piece.
template <typename Code>
void HammingPairs<Code>::compare(size_t t, const KeyBucket& a, const KeyBucket& b) {
  const bool same = a.prefix == b.prefix;
  for (uint64_t i = a.codes.begin; i < a.codes.end; i += kPiece) {
    const auto list = unpack(t, {a.prefix, {i, std::min(i + kPiece, a.codes.end)}}, piece_a_);
    if (same) near_.inside(list);
    for (uint64_t j = same ? i + kPiece : b.codes.begin; j < b.codes.end; j += kPiece) {
      near_.between(list, unpack(t, {b.prefix, {j, std::min(j + kPiece, b.codes.end)}}, piece_b_));
    }
    take_found(t);
  }
}

template <typename Code>
typename KeyPairs<Code>::KeyList HammingPairs<Code>::unpack(size_t t, const KeyBucket& bucket, Piece& piece) {
  const HammingTable<Code>& table = image_.tables()[t];
  const auto count = static_cast<uint32_t>(bucket.size());
  if (piece.table != t || piece.bucket != bucket) {
    image_.check(table.entry(bucket.codes.begin), count * table.stride);
    piece.keys.reserve(count);
    const uint32_t starts[2] = {0, 2 * count};
    kernels::kernels().unpack_keys(table.entry(bucket.codes.begin), table.stride, {starts, 1, 8}, bucket.prefix, table.block.width,
                                   piece.keys.low(0), piece.keys.high(0));
    piece.table = t;
    piece.bucket = bucket;
  }
  return {&piece.keys, bucket.codes.begin, count};
}

template <typename Code>
void HammingPairs<Code>::take_found(size_t t) {
  const HammingBlock& block = image_.tables()[t].block;
  const uint32_t below = remainder_bits<Word>(block);
  const auto word = [&](Word key) { return join_parts(static_cast<uint64_t>(key >> below), key & low_mask<Word>(below), block); };
  const auto position = [&](uint64_t in_table) { return t == 0 ? in_table : HammingSearch<Code>::kUnknown; };
  for (const KeyPair<Code>& pair : near_.found()) {
    take(t, word(pair.a), position(pair.position_a), word(pair.b), position(pair.position_b), pair.distance);
  }
  near_.found().clear();
}

template <typename Code>
void HammingPairs<Code>::take(size_t t, Word a, uint64_t position_a, Word b, uint64_t position_b, uint32_t distance) {
  if (image_.found_earlier(t, a ^ b, flips_)) return;
  const auto place = [&](Word word, uint64_t position) {
    return position != HammingSearch<Code>::kUnknown ? position : image_.require(word);
  };
  push({place(a, position_a), place(b, position_b), distance});
}

template <typename Code>
void HammingPairs<Code>::push(const PositionPair& pair) {
  pairs_->push_back(pair);
  if (pairs_->size() >= kManyPairs && *full_) (*full_)();
}

template <typename Code>
void HammingPairs<Code>::join_nested(size_t t, const HammingImage<Code>& nested) {
  HammingPairs inner(nested, radius_);
  std::vector<PositionPair> found;
  const auto take_all = [&] {
    for (const PositionPair& pair : found) {
      const auto word = [&](uint64_t position) { return image_.from_nested(nested, nested.word(position)); };
      take(t, word(pair.a), HammingSearch<Code>::kUnknown, word(pair.b), HammingSearch<Code>::kUnknown, pair.distance);
    }
    found.clear();
  };
  for (uint64_t chunk = 0; chunk < inner.chunks(); ++chunk) {
    inner.run(chunk, found, take_all);
    take_all();
  }
}

// The query codes get the prefix of the other bucket, so that the flipped bits are counted separately.
template <typename Code>
void HammingPairs<Code>::ask_nested(size_t t, const KeyBucket& asking, const KeyBucket& asked, const HammingImage<Code>& nested,
                                    uint32_t flipped) {
  const HammingTable<Code>& table = image_.tables()[t];
  image_.check(table.entry(asking.codes.begin), asking.size() * table.stride);
  for (uint64_t i = asking.codes.begin; i < asking.codes.end; ++i) {
    const Word own = join_parts(asking.prefix, table.remainder(i), table.block);
    const Word moved = join_parts(asked.prefix, table.remainder(i), table.block);
    const Word query = image_.to_nested(nested, moved);
    search_.run(nested, std::span(&query, 1), radius_ - flipped);
    for (const auto& found : search_.found()) {
      const Word other = image_.from_nested(nested, found.word);
      take(t, own, t == 0 ? i : HammingSearch<Code>::kUnknown, other, HammingSearch<Code>::kUnknown, found.distance + flipped);
    }
  }
}

template <typename Code>
void HammingPairs<Code>::run_strip(uint64_t strip) {
  const auto near = kernels::kernels().hamming_near;
  constexpr uint64_t kBlock = kernels::kCodeBlock;
  const uint64_t* low = image_.flat_low();
  const uint64_t* high = image_.flat_high();
  const uint64_t count = image_.distinct();
  const uint64_t end = std::min(count, (strip + 1) * kStrip);
  image_.check_flat();
  for (uint64_t i = strip * kStrip; i < end; ++i) {
    check_stop();
    for (uint64_t block = (i + 1) / kBlock * kBlock; block < count; block += kBlock) {
      uint64_t bits = near(low + block, high == nullptr ? nullptr : high + block, low[i], high == nullptr ? 0 : high[i], radius_);
      if (block <= i) bits &= ~low_mask<uint64_t>(static_cast<uint32_t>(i + 1 - block));
      if (count - block < kBlock) bits &= low_mask<uint64_t>(static_cast<uint32_t>(count - block));
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t j = block + static_cast<uint64_t>(std::countr_zero(bits));
        push({i, j, bit_count(image_.flat_word(i) ^ image_.flat_word(j))});
      }
    }
  }
}

template class HammingPairs<Fingerprint64>;
template class HammingPairs<Fingerprint128>;

}  // namespace neardup
