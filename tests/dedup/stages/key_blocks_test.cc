#include "dedup/stages/key_blocks.h"

#include <gtest/gtest.h>

#include <random>

#include "neardup/error.h"

namespace neardup {
namespace {

// Bit by bit.
uint64_t slow_key(const Fingerprint128& code, uint32_t begin, uint32_t end) {
  uint64_t key = 0;
  for (uint32_t bit = begin; bit < end && bit < begin + 48; ++bit) {
    const uint64_t word = bit < 64 ? code.low : code.high;
    key |= (word >> (bit % 64) & 1) << (bit - begin);
  }
  return key;
}

TEST(KeyBlocks, CutAFingerprintIntoAllItsBits) {
  std::mt19937_64 random(91);
  for (const uint32_t bits : {64u, 128u}) {
    for (uint32_t distance = 0; distance < bits / KeyBlocks::kMinBits; ++distance) {
      const KeyBlocks blocks(bits, distance);
      ASSERT_EQ(blocks.count(), distance + 1);
      for (int i = 0; i < 50; ++i) {
        const Fingerprint128 code{bits == 128 ? random() : 0, random()};
        for (uint32_t block = 0; block < blocks.count(); ++block) {
          ASSERT_EQ(blocks.key(code, block), slow_key(code, bits * block / blocks.count(), bits * (block + 1) / blocks.count()))
              << bits << " bits, distance " << distance << ", block " << block;
        }
      }
    }
    EXPECT_THROW(KeyBlocks(bits, bits / KeyBlocks::kMinBits), Error);
  }
}

TEST(KeyBlocks, FindTheFirstBlockOfEqualBits) {
  std::mt19937_64 random(92);
  for (const uint32_t distance : {1u, 3u, 7u}) {
    const KeyBlocks blocks(64, distance);
    for (int i = 0; i < 1000; ++i) {
      const Fingerprint128 a{0, random()};
      Fingerprint128 b = a;
      for (uint32_t flips = 0; flips < distance; ++flips) b.low ^= uint64_t{1} << (random() % 64);
      uint32_t first = 0;
      while (first < blocks.count() && blocks.key(a, first) != blocks.key(b, first)) ++first;
      ASSERT_LT(first, blocks.count()) << "so many flips leave a block as it is";
      for (uint32_t block = first; block < blocks.count(); ++block) {
        if (blocks.key(a, block) != blocks.key(b, block)) continue;
        EXPECT_EQ(blocks.first_equal(a, b, block), block == first);
      }
    }
  }
}

}  // namespace
}  // namespace neardup
