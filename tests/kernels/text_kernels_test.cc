// The text loops of every kernel set against their definitions byte by byte; and which set is chosen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/kernel_test.h"

namespace neardup::kernels {
namespace {

bool is_white(uint8_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
}

bool is_word(uint8_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The definitions of kernels.h, byte by byte.
struct Expected {
  std::string folded;
  size_t ascii = 0;  // bytes before the first one that is not
  std::string joined;
  std::vector<uint32_t> starts;
  size_t words_read = 0;
};

Expected expect(const std::string& text, bool previous_white, uint32_t at) {
  Expected expected;
  bool white_before = previous_white;
  while (expected.ascii < text.size() && static_cast<uint8_t>(text[expected.ascii]) < 0x80) {
    const auto c = static_cast<uint8_t>(text[expected.ascii++]);
    if (!is_white(c) || !white_before) expected.folded.push_back(is_white(c) ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
    white_before = is_white(c);
  }
  for (size_t i = 0; i < expected.ascii;) {
    size_t end = i;
    while (end < expected.ascii && is_word(static_cast<uint8_t>(text[end]))) ++end;
    if (end > i && end == expected.ascii && end < text.size()) break;  // it may continue
    if (end > i) {
      expected.starts.push_back(at + static_cast<uint32_t>(expected.joined.size()));
      expected.joined += text.substr(i, end - i) + ' ';
    }
    i = std::max(end, i + 1);
    expected.words_read = std::min(end > i - 1 ? end : i, expected.ascii);
  }
  return expected;
}

void check_text(const Kernels& kernels, const std::string& text, bool previous_white) {
  constexpr uint32_t kAt = 3;
  const Expected expected = expect(text, previous_white, kAt);
  // In memory of just this size, so that a sanitizer sees what is read beyond it.
  const std::vector<char> in(text.begin(), text.end());

  std::string out(text.size() + kTextBlock, '?');
  const Folded folded = kernels.fold_ascii(in.data(), in.size(), out.data(), previous_white);
  ASSERT_EQ(out.substr(0, folded.written), expected.folded) << kernels.name;
  ASSERT_EQ(folded.read, expected.ascii) << kernels.name;

  std::string joined(kAt + text.size() + 2 * kTextBlock, '?');
  std::vector<uint32_t> starts(text.size() / 2 + kTextBlock);
  const WordRuns runs = kernels.ascii_words(in.data(), in.size(), joined.data(), kAt, starts.data());
  starts.resize(runs.tokens);
  ASSERT_EQ(starts, expected.starts) << kernels.name << ' ' << ::testing::PrintToString(text);
  ASSERT_EQ(joined.substr(0, runs.end), "???" + expected.joined) << kernels.name << ' ' << ::testing::PrintToString(text);
  ASSERT_EQ(runs.read, expected.words_read) << kernels.name << ' ' << ::testing::PrintToString(text);

  std::vector<uint32_t> code_points;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80) code_points.push_back(static_cast<uint32_t>(i));
  }
  starts.resize(text.size() + kTextBlock);
  starts.resize(kernels.code_point_starts(in.data(), in.size(), starts.data()));
  ASSERT_EQ(starts, code_points) << kernels.name;
}

class TextKernels : public neardup::testing::KernelTest {};

TEST_P(TextKernels, every_byte_at_every_place) {
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t i = 0; i < kTextBlock; ++i) {
      std::string block(kTextBlock, 'q');
      block[i] = static_cast<char>(byte);
      check_text(unit(), block, i % 2 == 0);
    }
  }
}

TEST_P(TextKernels, runs_of_every_length_across_blocks) {
  for (const std::string& between : {std::string(" "), std::string("\xC3\xA9"), std::string("a\xC3")}) {
    for (size_t first = 0; first < 70; ++first) {
      for (const size_t second : {size_t{0}, size_t{1}, 63 - first % 64, 64 - first % 64, 65 - first % 64, size_t{200}}) {
        check_text(unit(), std::string(first, 'a') + between + std::string(second, 'B'), false);
        check_text(unit(), std::string(first, ' ') + between + std::string(second, '\n'), true);
      }
    }
  }
}

TEST_P(TextKernels, random_texts) {
  std::mt19937_64 random(1);
  const std::string few = "  aaaZ9\n.\x7F";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 300, '\0');
    std::generate(text.begin(), text.end(), [&] {
      if (round % 3 == 0) return static_cast<char>(static_cast<uint8_t>(random()));
      return round % 3 == 1 && random() % 100 == 0 ? '\xE4' : few[random() % few.size()];
    });
    check_text(unit(), text, random() % 2 == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(AllKernels, TextKernels, neardup::testing::every_kernel_unit());

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
