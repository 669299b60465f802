#include "store/clue/packed_numbers.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "support/posting_lists.h"

namespace neardup::testing {
namespace {

TEST(PackedNumbers, HoldWhatWasWritten) {
  std::mt19937_64 random(1);
  for (uint32_t width = 0; width <= 64; ++width) {
    for (const size_t count : {0, 1, 2, 63, 64, 65, 3000}) {
      std::vector<uint64_t> values(count);
      for (uint64_t& value : values) value = width == 0 ? 0 : random() >> (64 - width);
      if (count > 1) values[1] = width == 0 ? 0 : UINT64_MAX >> (64 - width);
      StringSink sink;
      PackedNumberWriter writer(sink, width);
      for (const uint64_t value : values) writer.add(value);
      writer.finish();
      ASSERT_EQ(sink.size(), PackedNumbers::bytes_for(count, width));
      const PackedNumbers packed(sink.bytes().data(), width, nullptr);
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(packed[i], values[i]) << width << " bits, number " << i << " of " << count;
    }
  }
}

TEST(PackedNumbers, TheLayoutIsThatOfTheDocument) {
  StringSink sink;
  PackedNumberWriter writer(sink, 12);
  for (const uint64_t value : {0xABC, 0x123, 0x456, 0x789, 0xDEF, 0xFED}) writer.add(value);
  writer.finish();
  EXPECT_EQ(sink.bytes(), std::string("\xBC\x3A\x12\x56\x94\x78\xEF\xDD\xFE\0\0\0\0\0\0\0", 16));
}

TEST(FirstFalse, FindsTheBorderFromAnyGuess) {
  for (const uint64_t end : {0, 1, 2, 3, 17, 100}) {
    for (uint64_t begin = 0; begin <= std::min<uint64_t>(end, 2); ++begin) {
      for (uint64_t border = begin; border <= end; ++border) {
        for (uint64_t guess = 0; guess <= end + 2; ++guess) {
          ASSERT_EQ(first_false(begin, end, guess, [&](uint64_t i) { return i < border; }), border);
        }
      }
    }
  }
}

TEST(FirstFalse, AGoodGuessCostsFewCalls) {
  constexpr uint64_t kEnd = uint64_t{1} << 40;
  uint64_t calls = 0;
  const auto holds = [&](uint64_t i) {
    ++calls;
    return i < kEnd / 3;
  };
  EXPECT_EQ(first_false(0, kEnd, kEnd / 3 + 100, holds), kEnd / 3);
  EXPECT_LE(calls, 16u);
  calls = 0;
  EXPECT_EQ(first_false(0, kEnd, 0, holds), kEnd / 3);
  EXPECT_LE(calls, 82u);
}

// Damage may make the numbers disorderly; the answer is then any, and the calls stay inside.
TEST(FirstFalse, EndsWhateverItIsTold) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t end = random() % 50;
    const uint64_t begin = end == 0 ? 0 : random() % end;
    const uint64_t found = first_false(begin, end, random() % 60, [&](uint64_t at) {
      EXPECT_TRUE(at >= begin && at < end);
      return random() % 2 == 0;
    });
    ASSERT_TRUE(found >= begin && found <= end);
  }
}

}  // namespace
}  // namespace neardup::testing
