#include "neardup/tools/fingerprint_text.h"

#include <gtest/gtest.h>

#include <random>

#include "neardup/error.h"

namespace neardup {
namespace {

std::string written(FingerprintText form, uint32_t bits, Fingerprint128 fingerprint) {
  std::string out;
  append_fingerprint(form, bits, fingerprint, out);
  return out;
}

TEST(FingerprintText, Forms) {
  const Fingerprint128 code{0, 0xFEDCBA9876543210};
  EXPECT_EQ(written(FingerprintText::kHex, 64, code), "fedcba9876543210");
  EXPECT_EQ(written(FingerprintText::kInteger, 64, code), "18364758544493064720");
  EXPECT_EQ(written(FingerprintText::kSigned, 64, code), "-81985529216486896");
  EXPECT_EQ(written(FingerprintText::kBits, 64, code), "1111111011011100101110101001100001110110010101000011001000010000");
  EXPECT_EQ(written(FingerprintText::kSigned, 64, {0, uint64_t{1} << 63}), "-9223372036854775808");
  EXPECT_EQ(written(FingerprintText::kSigned, 64, {0, (uint64_t{1} << 63) - 1}), "9223372036854775807");
  EXPECT_EQ(written(FingerprintText::kSigned, 64, {0, ~uint64_t{0}}), "-1");
  EXPECT_EQ(written(FingerprintText::kHex, 128, {1, 2}), "00000000000000010000000000000002");
  EXPECT_EQ(written(FingerprintText::kInteger, 128, {~uint64_t{0}, ~uint64_t{0}}), "340282366920938463463374607431768211455");
  EXPECT_NO_THROW(check_fingerprint_text(FingerprintText::kSigned, 64));
  EXPECT_THROW(check_fingerprint_text(FingerprintText::kSigned, 128), Error);
}

TEST(FingerprintText, WhatIsWrittenIsReadBack) {
  std::mt19937_64 random(4);
  for (const uint32_t bits : {64u, 128u}) {
    for (int round = 0; round < 1000; ++round) {
      Fingerprint128 code{bits == 128 ? random() >> random() % 64 : 0, random() >> random() % 64};
      if (round == 0) code = {};
      if (round == 1) code = {bits == 128 ? ~uint64_t{0} : 0, ~uint64_t{0}};
      for (const FingerprintText form :
           {FingerprintText::kHex, FingerprintText::kInteger, FingerprintText::kSigned, FingerprintText::kBits}) {
        if (form == FingerprintText::kSigned && bits == 128) continue;
        EXPECT_EQ(parse_fingerprint(form, bits, written(form, bits, code)), code) << describe_fingerprint_text(form, bits);
      }
      if (bits == 128) continue;
      EXPECT_EQ(parse_fingerprint(FingerprintText::kInteger, 64, written(FingerprintText::kSigned, 64, code)), code);
      EXPECT_EQ(parse_fingerprint(FingerprintText::kSigned, 64, written(FingerprintText::kInteger, 64, code)), code);
    }
  }
  EXPECT_EQ(parse_fingerprint(FingerprintText::kHex, 64, "FEDCBA9876543210"), (Fingerprint128{0, 0xFEDCBA9876543210}));
}

TEST(FingerprintText, NothingElseIsRead) {
  for (const char* text : {"", "fedcba987654321", "fedcba98765432100", "fedcba987654321g", "0xdcba9876543210", " edcba9876543210",
                           "00000000000000010000000000000002"}) {
    EXPECT_FALSE(parse_fingerprint(FingerprintText::kHex, 64, text)) << text;
  }
  EXPECT_FALSE(parse_fingerprint(FingerprintText::kHex, 128, "fedcba9876543210"));
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "18446744073709551616", "-9223372036854775809", "--1",
                           "340282366920938463463374607431768211456"}) {
    EXPECT_FALSE(parse_fingerprint(FingerprintText::kInteger, 64, text)) << text;
    EXPECT_FALSE(parse_fingerprint(FingerprintText::kSigned, 64, text)) << text;
  }
  for (const char* text : {"", "-1", "340282366920938463463374607431768211456", "999999999999999999999999999999999999999999999999", "1.0"})
    EXPECT_FALSE(parse_fingerprint(FingerprintText::kInteger, 128, text)) << text;
  for (const std::string& text : {std::string(63, '1'), std::string(65, '0'), std::string(63, '0') + "2", std::string()})
    EXPECT_FALSE(parse_fingerprint(FingerprintText::kBits, 64, text)) << text;
}

}  // namespace
}  // namespace neardup
