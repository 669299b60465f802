#include "index/lsh/signature_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sketch/minhash.h"
#include "support/statistics.h"

namespace neardup {
namespace {

TEST(SignatureFilter, AgreementCountsEqualNibbles) {
  std::mt19937 random(1);
  for (const uint32_t lanes : {1u, 15u, 16u, 17u, 100u, 128u, 255u}) {
    const SignatureFilter filter(lanes, Threshold::from_millionths(900'000));
    if (filter.row_bytes() == 0) continue;
    for (int round = 0; round < 50; ++round) {
      std::vector<uint32_t> a(lanes);
      std::vector<uint32_t> b(lanes);
      uint32_t expected = 0;
      for (uint32_t i = 0; i < lanes; ++i) {
        a[i] = static_cast<uint32_t>(random());
        b[i] = random() % 2 == 0 ? a[i] : static_cast<uint32_t>(random());
        expected += (a[i] * 0x9E3779B1u) >> 28 == (b[i] * 0x9E3779B1u) >> 28;
      }
      std::vector<uint8_t> rows;
      filter.append_row(a, rows);
      filter.append_row(b, rows);
      EXPECT_EQ(filter.agreement(rows.data(), rows.data() + filter.row_bytes()), expected);
    }
  }
}

TEST(SignatureFilter, TheBoundIsTheBinomialQuantile) {
  for (const uint32_t lanes : {32u, 128u}) {
    for (const uint32_t millionths : {500'000u, 800'000u, 950'000u}) {
      const SignatureFilter filter(lanes, Threshold::from_millionths(millionths));
      const double s = millionths / 1e6;
      const double p = s + (1 - s) / 16;
      // The slow way: terms of the distribution through lgamma.
      const auto below = [&](uint32_t m) {
        double sum = 0;
        for (uint32_t k = 0; k < m; ++k) {
          sum += std::exp(std::lgamma(lanes + 1.0) - std::lgamma(k + 1.0) - std::lgamma(lanes - k + 1.0) + k * std::log(p) +
                          (lanes - k) * std::log1p(-p));
        }
        return sum;
      };
      EXPECT_LE(below(filter.min_agreement()), SignatureFilter::kMissProbability);
      EXPECT_GT(below(filter.min_agreement() + 1), SignatureFilter::kMissProbability);
    }
  }
  EXPECT_EQ(SignatureFilter(128, Threshold::from_millionths(1'000'000)).min_agreement(), 128u);
  EXPECT_EQ(SignatureFilter().row_bytes(), 0u);
}

TEST(SignatureFilter, LanesAgreeAsOftenAsPredicted) {
  std::mt19937_64 random(2);
  const MinHasher hasher(128, 1);
  const SignatureFilter filter(128, Threshold::from_millionths(800'000));
  for (const size_t common : {0, 50, 80}) {
    constexpr int kTrials = 1500;
    double agreeing = 0;
    for (int i = 0; i < kTrials; ++i) {
      const auto sets = testing::random_sets(random, common, (100 - common) / 2, (100 - common) / 2);
      std::vector<uint32_t> signature(128);
      std::vector<uint8_t> rows;
      hasher.sketch(sets.a, signature);
      filter.append_row(signature, rows);
      hasher.sketch(sets.b, signature);
      filter.append_row(signature, rows);
      agreeing += filter.agreement(rows.data(), rows.data() + filter.row_bytes());
    }
    const double s = static_cast<double>(common) / 100;
    EXPECT_LT(std::abs(testing::z_score(agreeing, 128.0 * kTrials, s + (1 - s) / 16)), testing::kImprobable) << common;
  }
}

}  // namespace
}  // namespace neardup
