#include <gtest/gtest.h>

#include "neardup/fingerprint.h"

namespace neardup {
namespace {

constexpr Fingerprint64 kShort{0x7cf3a135aa595818};
constexpr Fingerprint128 kLong{0x0123456789abcdef, 0x7cf3a135aa595818};

TEST(Fingerprint, IsWrittenInThreeWays) {
  EXPECT_EQ(to_hex(kShort), "7cf3a135aa595818");
  EXPECT_EQ(to_hex(kLong), "0123456789abcdef7cf3a135aa595818");
  EXPECT_EQ(to_decimal(kShort), "9003717331907074072");
  EXPECT_EQ(to_decimal(kLong), "1512366075204170937971314157097146392");  // int("0123...", 16) of Python
  EXPECT_EQ(to_decimal(Fingerprint128{}), "0");
  EXPECT_EQ(to_decimal(Fingerprint128{0, 10}), "10");
  EXPECT_EQ(to_decimal(Fingerprint128{~uint64_t{0}, ~uint64_t{0}}), "340282366920938463463374607431768211455");
  EXPECT_EQ(to_bytes(kShort), (std::array<uint8_t, 8>{0x18, 0x58, 0x59, 0xaa, 0x35, 0xa1, 0xf3, 0x7c}));
  EXPECT_EQ(to_bytes(kLong),
            (std::array<uint8_t, 16>{0x18, 0x58, 0x59, 0xaa, 0x35, 0xa1, 0xf3, 0x7c, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}));
}

TEST(Fingerprint, IsReadBack) {
  EXPECT_EQ(fingerprint64_from_hex("7cf3a135aa595818"), kShort);
  EXPECT_EQ(fingerprint64_from_hex("7CF3A135AA595818"), kShort);
  EXPECT_EQ(fingerprint128_from_hex("0123456789ABCDEF7cf3a135aa595818"), kLong);
  EXPECT_EQ(fingerprint64_from_bytes(to_bytes(kShort)), kShort);
  EXPECT_EQ(fingerprint128_from_bytes(to_bytes(kLong)), kLong);
  for (const char* wrong : {"", "7cf3a135aa59581", "7cf3a135aa5958181", "7cf3a135aa59581g", "7cf3a135aa59581 ", "0x7cf3a135aa5958",
                            "@cf3a135aa595818", "`cf3a135aa595818", "/cf3a135aa595818", ":cf3a135aa595818",
                            "\xff"
                            "cf3a135aa595818"}) {
    EXPECT_EQ(fingerprint64_from_hex(wrong), std::nullopt) << wrong;
    EXPECT_EQ(fingerprint128_from_hex(std::string(wrong) + "7cf3a135aa595818"), std::nullopt) << wrong;
    EXPECT_EQ(fingerprint128_from_hex("7cf3a135aa595818" + std::string(wrong)), std::nullopt) << wrong;
  }
}

TEST(Fingerprint, DistanceAndOrder) {
  EXPECT_EQ(hamming_distance(kShort, kShort), 0u);
  EXPECT_EQ(hamming_distance(kShort, Fingerprint64{kShort.low ^ 0x8000000000000001u}), 2u);
  EXPECT_EQ(hamming_distance(Fingerprint64{0}, Fingerprint64{~uint64_t{0}}), 64u);
  EXPECT_EQ(hamming_distance(kLong, Fingerprint128{~kLong.high, ~kLong.low}), 128u);
  EXPECT_EQ(hamming_distance(kLong, Fingerprint128{kLong.high ^ 8, kLong.low ^ 3}), 3u);
  EXPECT_LT((Fingerprint128{1, 5}), (Fingerprint128{2, 0}));
  EXPECT_EQ(kLong.low_half(), kShort);
}

}  // namespace
}  // namespace neardup
