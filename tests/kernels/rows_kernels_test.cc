// The kernels of signature rows, of every instruction set: nibbles against their definition, hashes of rows against xxHash.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "support/kernel_test.h"

namespace neardup::kernels {
namespace {

class RowsKernels : public neardup::testing::KernelTest {};

// In memory of its own size, so that a sanitizer sees reads beyond it.
std::vector<uint32_t> random_words(std::mt19937& random, size_t count) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random());
  return words;
}

TEST_P(RowsKernels, NibblesAreTheUpperBitsOfProducts) {
  std::mt19937 random(1);
  for (const size_t count : {size_t{0}, kLaneBlock, 2 * kLaneBlock, 5 * kLaneBlock}) {
    const std::vector<uint32_t> lanes = random_words(random, count);
    const auto factor = static_cast<uint32_t>(random());
    std::vector<uint8_t> nibbles(count / 2);
    unit().lane_nibbles(lanes.data(), count, factor, nibbles.data());
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(nibbles[i / 2] >> (i % 2 * 4) & 15, (lanes[i] * factor) >> 28) << i;
  }
}

TEST_P(RowsKernels, HashesOfRowsAreThoseOfXxHash) {
  if (unit().hash_rows == nullptr) return;
  std::mt19937 random(2);
  size_t hashed = 0;
  for (uint32_t row_words = 1; row_words <= 12; ++row_words) {
    for (const size_t rows : {0U, 1U, 7U, 8U, 9U, 21U, 64U}) {
      const std::vector<uint32_t> words = random_words(random, rows * row_words);
      std::vector<uint64_t> hashes(rows);
      const size_t made = unit().hash_rows(words.data(), rows, row_words, hashes.data());
      ASSERT_LE(made, rows);
      hashed += made;
      for (size_t i = 0; i < made; ++i) {
        ASSERT_EQ(hashes[i], XXH3_64bits(words.data() + i * row_words, row_words * sizeof(uint32_t))) << row_words << " words, row " << i;
      }
    }
  }
  EXPECT_GT(hashed, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, RowsKernels, neardup::testing::every_kernel_unit(), neardup::testing::kernel_unit_name);

}  // namespace
}  // namespace neardup::kernels
