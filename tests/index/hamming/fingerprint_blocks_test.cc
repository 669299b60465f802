#include "neardup/tools/fingerprint_blocks.h"

#include <gtest/gtest.h>

#include <random>

#include "neardup/error.h"

namespace neardup {
namespace {

std::string complaint(std::string_view text) {
  try {
    static_cast<void>(FingerprintBlocks::parse(text));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

TEST(FingerprintBlocks, BlockZeroHasTheLowestBits) {
  const FingerprintBlocks blocks = FingerprintBlocks::parse("4x16");
  EXPECT_EQ(blocks.bits(), 64u);
  EXPECT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks.radius(), 3u);
  EXPECT_EQ(blocks.text(), "4x16");
  const Fingerprint128 fingerprint{0xFFFF'FFFF'FFFF'FFFF, 0x0001'0203'0405'F607};
  const uint64_t expected[] = {0xF607, 0x0405, 0x0203, 0x0001};
  for (uint32_t block = 0; block < 4; ++block) EXPECT_EQ(blocks.value(fingerprint, block), expected[block]) << block;
}

// The slow twin goes bit by bit.
TEST(FingerprintBlocks, ValuesAreTheBitsInTheirOrder) {
  std::mt19937_64 random(5);
  for (const char* text : {"4x16", "22,21,21", "8x16", "32x4", "53,11", "1,2,3,4,5,6,7,8,9,10,9", "50,50,28", "40,40,48", "3,53,53,19"}) {
    const FingerprintBlocks blocks = FingerprintBlocks::parse(text);
    for (int round = 0; round < 200; ++round) {
      const Fingerprint128 fingerprint{random(), random()};
      uint32_t bit = 0;
      for (uint32_t block = 0; block < blocks.size(); ++block) {
        uint64_t value = 0;
        for (uint32_t i = 0; i < blocks.width(block); ++i, ++bit) {
          const uint64_t word = bit < 64 ? fingerprint.low : fingerprint.high;
          value += (word >> (bit % 64) & 1) << i;
        }
        EXPECT_EQ(blocks.value(fingerprint, block), value) << text << " block " << block;
      }
      EXPECT_EQ(bit, blocks.bits()) << text;
    }
  }
}

// What the scheme stands on: within radius() bits some block agrees, and one more bit can change all of them.
TEST(FingerprintBlocks, SomeBlockAgreesWithinTheRadiusAndNotBeyond) {
  std::mt19937_64 random(6);
  for (const char* text : {"4x16", "22,21,21", "7,9,48", "8x16", "32x4"}) {
    const FingerprintBlocks blocks = FingerprintBlocks::parse(text);
    const auto agreeing = [&](Fingerprint128 a, Fingerprint128 b) {
      uint32_t count = 0;
      for (uint32_t block = 0; block < blocks.size(); ++block) count += blocks.value(a, block) == blocks.value(b, block);
      return count;
    };
    const auto flip = [](Fingerprint128& code, uint32_t bit) { (bit < 64 ? code.low : code.high) ^= uint64_t{1} << bit % 64; };
    for (int round = 0; round < 500; ++round) {
      const Fingerprint128 code{random(), random()};
      Fingerprint128 other = code;
      for (uint32_t i = 0; i < blocks.radius(); ++i) flip(other, static_cast<uint32_t>(random() % blocks.bits()));
      EXPECT_GE(agreeing(code, other), 1u) << text;
      Fingerprint128 far = code;
      uint32_t begin = 0;
      for (uint32_t block = 0; block < blocks.size(); begin += blocks.width(block++))
        flip(far, begin + static_cast<uint32_t>(random() % blocks.width(block)));
      EXPECT_EQ(agreeing(code, far), 0u) << text;
      EXPECT_EQ(hamming_distance(code, far), blocks.radius() + 1);
    }
  }
}

TEST(FingerprintBlocks, ErrorsNameTheBoundAndTheValue) {
  for (const auto& [text, part] : {std::pair{"", "expected MxW, such as 4x16"},
                                   {"4", "have a sum of 4,"},
                                   {"x16", "expected MxW"},
                                   {"4x", "expected MxW"},
                                   {"4x16x2", "expected MxW"},
                                   {"4x-16", "expected MxW"},
                                   {"4 x16", "expected MxW"},
                                   {"16,16,,32", "expected MxW"},
                                   {"16,16,32,", "expected MxW"},
                                   {"sixteen", "expected MxW"},
                                   {"0x64", "expected 1 to 32 blocks, not 0"},
                                   {"64x1", "expected 1 to 32 blocks, not 64"},
                                   {"99999999999999999999x1", "expected 1 to 32 blocks"},
                                   {"4x0", "a block must have at least 1 bit"},
                                   {"32,0,32", "a block must have at least 1 bit"},
                                   {"4x15", "have a sum of 60,"},
                                   {"5x16", "have a sum of 80,"},
                                   {"22,21,22", "have a sum of 65,"},
                                   {"4x4294967300", "have a sum of 17179869180,"},
                                   {"1x64", "at most 53 bits, not 64"},
                                   {"2x64", "at most 53 bits, not 64"},
                                   {"54,10", "at most 53 bits, not 54"}}) {
    const std::string message = complaint(text);
    EXPECT_TRUE(message.starts_with(std::string("blocks '") + text + "': ")) << message;
    EXPECT_NE(message.find(part), std::string::npos) << text << ": " << message;
  }
}

}  // namespace
}  // namespace neardup
