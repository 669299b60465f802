// The text masks of every kernel set against a definition byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
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

// The choice is made once per process, so each of these runs in a fresh one that inherits the variable.
class DispatchDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const char* before = std::getenv("NEARDUP_KERNELS");
    if (before != nullptr) before_ = before;
  }
  void TearDown() override {
    if (before_) {
      setenv("NEARDUP_KERNELS", before_->c_str(), 1);
    } else {
      unsetenv("NEARDUP_KERNELS");
    }
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(DispatchDeathTest, the_variable_forces_kernels) {
  setenv("NEARDUP_KERNELS", "baseline", 1);
  const auto forced = [] { return std::string(kernels().name) == "baseline" && requested_kernels_error() == nullptr; };
  EXPECT_EXIT(std::exit(forced() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST_F(DispatchDeathTest, an_unknown_name_is_reported_in_one_line) {
  setenv("NEARDUP_KERNELS", "no\nsuch", 1);
  const auto reported = [] {
    const char* error = requested_kernels_error();
    return error != nullptr && std::string(error).starts_with("NEARDUP_KERNELS is \"no?such\"; this processor has: baseline");
  };
  EXPECT_EXIT(std::exit(reported() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace neardup::kernels
