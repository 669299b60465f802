// KeyPairs: the pairs of near keys in unpacked buckets of one table. The hot loops of a self-join.
//
// Which buckets meet is decided by the table's flips. Flips of the lowest bits of the bucket's number stay inside a tile of consecutive
// buckets, whose keys are compared with all keys of the tile or of another one, in straight loops, as a few too many comparisons cost less
// than looking for the right ones. Flips of the bits above lead from every tile to another one; when they use up all flips, every key meets
// exactly one bucket there. Pairs whose buckets differ in more bits than the flips are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "index/hamming/key_chunk.h"

namespace neardup {

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

  /// Keys of one bucket (or of a part of it) that stand one after another in their table.
  struct List {
    const KeyWords<Code>* keys;
    uint64_t position;  // of the first one
    uint32_t count;
  };

  /// What holds for the calls after this one: the width of the table's block, the bits that buckets and keys may differ in. full() is
  /// called whenever very many pairs wait, and clears them; so a call for dense keys needs no memory for all of their pairs.
  void set(uint32_t width, uint32_t flips, uint32_t radius, std::function<void()> full);

  /// All pairs of a chunk of 2^bits buckets, but for those with big ones.
  void within(const Chunk& chunk, uint32_t bits);
  /// All pairs of a key of one and a key of the other chunk, whose first buckets differ in all but `left` of the flips.
  void across(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t left);
  /// All pairs of a key of one and a key of the other list.
  void between(const List& a, const List& b);
  void inside(const List& list);

  /// The pairs found since full() was called last; the caller clears them.
  [[nodiscard]] std::vector<KeyPair<Code>>& found() noexcept { return found_; }

 private:
  // A range of the keys of a chunk or list.
  struct Range {
    const KeyWords<Code>* keys;
    const Chunk* chunk;  // null: a list
    uint64_t position;   // of the first key of the list
    uint32_t begin;
    uint32_t count;
    [[nodiscard]] uint64_t position_of(uint32_t i) const noexcept {
      return chunk != nullptr ? chunk->position(begin + i) : position + begin + i;
    }
    [[nodiscard]] Range part(uint32_t from, uint32_t most) const noexcept {
      return {keys, chunk, position, begin + from, count - from < most ? count - from : most};
    }
  };

  [[nodiscard]] static Range buckets(const Chunk& chunk, uint32_t first, uint32_t end) noexcept {
    return {&chunk.keys(), &chunk, 0, chunk.begin(first), chunk.begin(end) - chunk.begin(first)};
  }
  void flip_tiles(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t tile, uint32_t flip, uint32_t left);
  void meet(const Chunk& a, const Chunk& b, uint32_t bits, uint32_t first, uint32_t end, uint32_t flip);
  void compare(const Range& a, const Range& b);
  void compare_own(const Range& a);
  void take(const Range& a, const Range& b, size_t count);

  uint32_t width_ = 0;
  uint32_t flips_ = 0;
  uint32_t radius_ = 0;
  std::function<void()> full_;
  std::vector<kernels::KeyMatch> matches_;
  std::vector<KeyPair<Code>> found_;
};

extern template class KeyPairs<Fingerprint64>;
extern template class KeyPairs<Fingerprint128>;

}  // namespace neardup
