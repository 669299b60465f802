#include "server/service/latency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace neardup::server {
namespace {

TEST(Latency, QuantilesAreAtMostAQuarterTooLarge) {
  // Of everything from 1 us to 2 s, in steps of a tenth.
  for (double micros = 1; micros < 2e6; micros *= 1.1) {
    Latency latency;
    latency.record(static_cast<uint64_t>(micros));
    const double exact = static_cast<double>(static_cast<uint64_t>(micros)) / 1000;
    EXPECT_GT(latency.quantiles().p50_ms, exact);
    EXPECT_LE(latency.quantiles().p99_ms, std::max(exact * 1.25, exact + 0.001));
  }
}

TEST(Latency, QuantilesAreThoseOfTheValues) {
  Latency latency;
  latency.record(1000, 98);
  latency.record(50'000);
  latency.record(400'000);
  EXPECT_NEAR(latency.quantiles().p50_ms, 1, 0.25);
  EXPECT_NEAR(latency.quantiles().p99_ms, 50, 12.5);
}

TEST(Latency, NothingRecordedIsZero) {
  const Latency latency;
  EXPECT_EQ(latency.quantiles().p50_ms, 0);
  EXPECT_EQ(latency.quantiles().p99_ms, 0);
  EXPECT_EQ(latency.rate(), 0);
}

TEST(Latency, AnyTimeHasABucket) {
  Latency latency;
  latency.record(0);
  latency.record(UINT64_MAX);
  std::string text;
  latency.append_histogram("seconds", "store=\"a\"", text);
  EXPECT_NE(text.find("seconds_bucket{store=\"a\",le=\"+Inf\"} 2\n"), std::string::npos);
  EXPECT_NE(text.find("seconds_count{store=\"a\"} 2\n"), std::string::npos);
}

TEST(Latency, HistogramCountsWhatIsBelowABound) {
  Latency latency;
  latency.record(3);
  latency.record(100, 4);
  std::string text;
  latency.append_histogram("s", "l=\"x\"", text);
  EXPECT_NE(text.find("s_bucket{l=\"x\",le=\"4e-06\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("s_bucket{l=\"x\",le=\"6.4e-05\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("s_bucket{l=\"x\",le=\"0.000128\"} 5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("s_sum{l=\"x\"} 0.000403\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace neardup::server
