#include "index/prefix/containment_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace neardup {
namespace {

double log_choices(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// P[fewer than `common` of `drawn` features are shared], when `shared` of `size` are.
double missed(uint32_t size, uint32_t shared, uint32_t drawn, uint32_t common) {
  double sum = 0;
  for (uint32_t i = 0; i < common; ++i) {
    if (i > shared || drawn - i > size - shared) continue;
    sum += std::exp(log_choices(shared, i) + log_choices(size - shared, drawn - i) - log_choices(size, drawn));
  }
  return sum;
}

TEST(ContainmentSamples, ArePlannedForTheProbability) {
  for (const uint32_t millionths : {1u, 999u, 50'000u, 333'333u, 500'000u, 800'000u, 900'000u, 999'999u}) {
    const Threshold threshold = Threshold::from_millionths(millionths);
    const ContainmentSample sample = ContainmentSample::plan(threshold);
    ASSERT_GE(sample.features, ContainmentSample::kFeatures);
    ASSERT_GE(sample.common, 1u);
    const double p = threshold.value();
    const auto tail = [&](uint32_t common) {  // of the binomial distribution
      double sum = 0;
      for (uint32_t i = 0; i < common; ++i)
        sum += std::exp(log_choices(sample.features, i) + i * std::log(p) + (sample.features - i) * std::log1p(-p));
      return sum;
    };
    EXPECT_NEAR(sample.miss_probability(threshold), tail(sample.common), 1e-9);
    EXPECT_LE(tail(sample.common), 1.000001e-6) << millionths;
    EXPECT_GT(tail(sample.common + 1), 1e-6) << millionths;
  }
  const ContainmentSample usual = ContainmentSample::plan(Threshold::from_millionths(800'000));
  EXPECT_EQ(usual.features, 32u);
  EXPECT_GE(usual.common, 12u);  // so that texts with half as much in common are rejected
  const Threshold one = Threshold::from_millionths(1'000'000);
  EXPECT_EQ(ContainmentSample::plan(one).common, 32u);
  EXPECT_EQ(ContainmentSample::plan(one).miss_probability(one), 0);
  EXPECT_EQ(ContainmentSample::plan(one).certain_up_to(one), std::numeric_limits<uint32_t>::max());
}

// The sample of a set without end is the worst case.
TEST(ContainmentSamples, MissLessOfASet) {
  for (const uint32_t millionths : {200'000u, 500'000u, 800'000u, 950'000u}) {
    const Threshold threshold = Threshold::from_millionths(millionths);
    const ContainmentSample sample = ContainmentSample::plan(threshold);
    const double worst = sample.miss_probability(threshold);
    const uint32_t certain = sample.certain_up_to(threshold);
    EXPECT_GE(certain, sample.features);
    for (uint32_t size = 1; size < 20'000; size += 1 + size / 50) {
      const auto shared = static_cast<uint32_t>(threshold.min_partner_size(size));
      const auto required = static_cast<uint32_t>(sample.required(size, threshold));
      EXPECT_LE(required, sample.size_of(size));
      const double probability = missed(size, shared, sample.size_of(size), required);
      EXPECT_LE(probability, worst * 1.0001) << size;
      if (size <= certain) {
        EXPECT_EQ(probability, 0) << size;
      }
    }
    EXPECT_GT(missed(certain + 1, static_cast<uint32_t>(threshold.min_partner_size(certain + 1)), sample.features,
                     static_cast<uint32_t>(sample.required(certain + 1, threshold))),
              0);
  }
}

TEST(ContainmentSamples, CanBeTheWholeSet) {
  const Threshold threshold = Threshold::from_millionths(800'000);
  const ContainmentSample all;
  EXPECT_TRUE(all.all());
  EXPECT_EQ(all.miss_probability(threshold), 0);
  EXPECT_EQ(all.certain_up_to(threshold), std::numeric_limits<uint32_t>::max());
  for (const uint32_t size : {1u, 31u, 32u, 33u, 1000u, 4'000'000'000u}) {
    EXPECT_EQ(all.size_of(size), size);
    EXPECT_EQ(all.required(size, threshold), threshold.min_partner_size(size));
  }
}

}  // namespace
}  // namespace neardup
