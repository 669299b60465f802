#include "base/bit_codec.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace neardup {
namespace {

BitReader reader_of(std::string& bytes) {
  const uint64_t end = bytes.size() * 8;
  bytes.append(kBitSlack, '\xFF');  // what follows must not count
  return {bytes.data(), 0, end};
}

TEST(BitCodec, WritesTheBitsThatAreDescribed) {
  std::string bytes;
  BitWriter out(bytes);
  out.put(0b101, 3);
  out.put_gamma(1);    // 1
  out.put_gamma(6);    // 001, then the low bits 10, the lowest first: 01
  out.put_rice(5, 1);  // 001, then 1
  out.flush();
  // From the lowest bit on: 101 1 001 01 0011
  EXPECT_EQ(bytes, (std::string{static_cast<char>(0b0100'1101), static_cast<char>(0b0001'1001)}));
}

TEST(BitCodec, ReadsWhatWasWritten) {
  std::mt19937_64 random(3);
  struct Value {
    int code;
    uint64_t value;
    uint64_t count;
    uint32_t width;
  };
  for (int run = 0; run < 300; ++run) {
    std::vector<Value> values(random() % 200);
    std::string bytes;
    BitWriter out(bytes);
    for (Value& value : values) {
      value.code = static_cast<int>(random() % 5);
      value.count = (random() >> random() % 57 >> 8) + 1;
      value.width = static_cast<uint32_t>(random() % (kMaxFieldBits + 1));
      value.value = random() & ((uint64_t{1} << value.width) - 1);
      if (value.code == 0) out.put(value.value, value.width);
      if (value.code == 1) out.put_gamma(value.count);
      if (value.code >= 2) {
        value.width = static_cast<uint32_t>(random() % 37);
        value.value = random() % 300 << value.width >> random() % 8;
        out.put_rice(value.value, value.width);
        if (value.code == 3) out.put_gamma(value.count);
      }
    }
    out.flush();
    BitReader in = reader_of(bytes);
    for (const Value& value : values) {
      if (value.code == 0) {
        ASSERT_EQ(in.get(value.width), value.value);
      }
      if (value.code == 1) {
        ASSERT_EQ(in.get_gamma(), value.count);
      }
      if (value.code == 2 || value.code == 4) {
        ASSERT_EQ(in.get_rice(value.width), value.value);
      }
      if (value.code == 3) {
        uint64_t rice = 0;
        uint64_t gamma = 0;
        in.get_rice_and_gamma(value.width, rice, gamma);
        ASSERT_EQ(rice, value.value);
        ASSERT_EQ(gamma, value.count);
      }
    }
    ASSERT_TRUE(in.ok());
    ASSERT_LT(in.end() - in.at(), 8);
  }
}

TEST(BitCodec, TakesOnes) {
  std::mt19937_64 random(4);
  for (int run = 0; run < 300; ++run) {
    std::vector<uint64_t> zeros(1 + random() % 100);
    std::string bytes;
    BitWriter out(bytes);
    const auto before = static_cast<uint32_t>(random() % 20);
    out.put(0, before);
    for (uint64_t& count : zeros) {
      count = random() % (random() % 9 == 0 ? 300 : 4);
      out.put_zeros(count);
      out.put(1, 1);
    }
    out.put(0b101, 3);
    out.flush();
    BitReader in = reader_of(bytes);
    in.skip(before);
    const auto count = static_cast<uint32_t>(zeros.size());
    ASSERT_TRUE(in.get_ones(count, [&](uint32_t i, uint64_t found) { ASSERT_EQ(found, zeros[i]); }));
    ASSERT_EQ(in.get(3), 0b101);
    ASSERT_FALSE(in.get_ones(1, [](uint32_t, uint64_t) {}));
    ASSERT_FALSE(in.ok());
  }
}

TEST(BitCodec, SaysThatItWasAskedForMore) {
  const auto after = [](const auto& action) {
    std::string bytes(2, '\0');
    BitReader in = reader_of(bytes);
    action(in);
    action(in);
    return in.ok();
  };
  EXPECT_TRUE(after([](BitReader& in) { in.get(8); }));
  EXPECT_FALSE(after([](BitReader& in) { in.get(9); }));
  EXPECT_TRUE(after([](BitReader& in) { in.skip(8); }));
  EXPECT_FALSE(after([](BitReader& in) { in.skip(9); }));
  EXPECT_FALSE(after([](BitReader& in) { in.skip(UINT64_MAX); }));
  EXPECT_FALSE(after([](BitReader& in) { in.get_gamma(); }));
  EXPECT_FALSE(after([](BitReader& in) { in.get_rice(3); }));
  EXPECT_FALSE(after([](BitReader& in) {
    uint64_t rice = 0;
    uint64_t gamma = 0;
    in.get_rice_and_gamma(3, rice, gamma);
  }));
}

}  // namespace
}  // namespace neardup
