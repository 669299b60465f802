#include "neardup/tools/readable.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(Readable, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Readable, NumbersWithTheirNouns) {
  EXPECT_EQ(counted(0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(1234, "thread"), "1,234 threads");
}

TEST(Readable, Sizes) {
  EXPECT_EQ(data_size(0), "0 bytes");
  EXPECT_EQ(data_size(1), "1 byte");
  EXPECT_EQ(data_size(1023), "1,023 bytes");
  EXPECT_EQ(data_size(1024), "1.0 KiB");
  EXPECT_EQ(data_size(20'480), "20.0 KiB");
  EXPECT_EQ(data_size((uint64_t{1} << 20) - 1), "1.0 MiB") << "never 1024.0 KiB";
  EXPECT_EQ(data_size(uint64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(data_size(UINT64_MAX), "16384.0 PiB");
}

TEST(Readable, Fractions) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(3.9e-24), "less than 0.0001 %") << "no exponents";
  EXPECT_EQ(percent(0.000001), "0.0001 %");
  EXPECT_EQ(percent(0.0018), "0.18 %");
  EXPECT_EQ(percent(0.934), "93 %");
  EXPECT_EQ(percent(1), "100 %");
}

}  // namespace
}  // namespace neardup
