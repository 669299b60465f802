// The text masks of every kernel set against a definition byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernels/kernels.h"

namespace neardup::kernels {
namespace {

bool is_white(uint8_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
}

uint64_t bit(size_t i, bool set) {
  return set ? uint64_t{1} << i : 0;
}

void check_block(const Kernels& kernels, const std::string& block, bool previous_white) {
  std::string folded;
  uint64_t special = 0;
  uint64_t word = 0;
  uint64_t wide = 0;
  for (size_t i = 0; i < kTextBlock; ++i) {
    const auto c = static_cast<uint8_t>(block[i]);
    const bool upper = c >= 'A' && c <= 'Z';
    const bool after_white = i == 0 ? previous_white : is_white(static_cast<uint8_t>(block[i - 1]));
    folded.push_back(is_white(c) ? ' ' : static_cast<char>(upper ? c + 32 : c));
    special |= bit(i, c >= 0x80 || (is_white(c) && after_white));
    word |= bit(i, upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    wide |= bit(i, c >= 0x80);
  }
  std::string out(kTextBlock, '?');
  uint64_t got_special = 1;
  uint64_t got_word = 2;
  uint64_t got_wide = 3;
  kernels.fold_ascii_block(block.data(), out.data(), previous_white, &got_special);
  kernels.word_masks(block.data(), &got_word, &got_wide);
  ASSERT_EQ(out, folded) << kernels.name;
  ASSERT_EQ(got_special, special) << kernels.name;
  ASSERT_EQ(got_word, word) << kernels.name;
  ASSERT_EQ(got_wide, wide) << kernels.name;
}

class TextMasks : public ::testing::TestWithParam<size_t> {
 protected:
  [[nodiscard]] static const Kernels& unit() {
    size_t count = 0;
    return *available(&count)[GetParam()];
  }
};

size_t available_count() {
  size_t count = 0;
  available(&count);
  return count;
}

TEST_P(TextMasks, every_byte_at_every_place) {
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t i = 0; i < kTextBlock; ++i) {
      std::string block(kTextBlock, 'q');
      block[i] = static_cast<char>(byte);
      check_block(unit(), block, i % 2 == 0);
    }
  }
}

TEST_P(TextMasks, random_blocks) {
  std::mt19937_64 random(1);
  const std::string few = "  aZ9\n\x7F\x80\xFF_";
  for (int round = 0; round < 20000; ++round) {
    std::string block(kTextBlock, '\0');
    std::generate(block.begin(), block.end(),
                  [&] { return round % 2 == 0 ? few[random() % few.size()] : static_cast<char>(static_cast<uint8_t>(random())); });
    check_block(unit(), block, random() % 2 == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(AllKernels, TextMasks, ::testing::Range(size_t{0}, available_count()));

TEST(Dispatch, baseline_is_there_and_the_one_in_use_is_available) {
  size_t count = 0;
  const Kernels* const* units = available(&count);
  ASSERT_GE(count, 1u);
  EXPECT_STREQ(units[0]->name, "baseline");
  EXPECT_NE(std::find(units, units + count, &kernels()), units + count);
}

}  // namespace
}  // namespace neardup::kernels
