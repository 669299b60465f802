#include "index/lsh/lsh_plan.h"

#include <gtest/gtest.h>

#include "index/lsh/band_keys.h"
#include "neardup/sketcher.h"
#include "sketch/minhash.h"
#include "support/statistics.h"

namespace neardup {
namespace {

TEST(LshPlan, KeepsThePromiseAtTheThresholdWithAsFewBandsAsPossible) {
  for (uint32_t millionths = 50'000; millionths <= 1'000'000; millionths += 50'000) {
    for (const uint32_t lanes : {16u, 128u, 256u}) {
      const Threshold threshold = Threshold::from_millionths(millionths);
      const Threshold miss = Threshold::from_millionths(2'000);
      const LshPlan plan = plan_lsh(threshold, miss, lanes);
      EXPECT_LE(plan.bands * plan.rows, lanes);
      if (plan.rows == 1 && plan.bands == lanes) continue;  // the lanes cannot do better
      EXPECT_LE(plan.miss_probability(threshold.value()), miss.value());
      if (plan.bands > 1) {
        EXPECT_GT((LshPlan{plan.bands - 1, plan.rows}.miss_probability(threshold.value())), miss.value());
      }
      EXPECT_GT((LshPlan{lanes / (plan.rows + 1), plan.rows + 1}.miss_probability(threshold.value())), miss.value());
    }
  }
}

TEST(LshPlan, PublishedGeometries) {
  // P(candidate) of common settings, as 1 - (1 - s^r)^b worked out independently.
  EXPECT_NEAR(1 - (LshPlan{14, 8}.miss_probability(0.8)), 0.924, 0.0005);
  EXPECT_NEAR(1 - (LshPlan{16, 8}.miss_probability(0.8)), 0.947, 0.0005);
  EXPECT_NEAR(1 - (LshPlan{25, 10}.miss_probability(0.7)), 0.5115, 0.0005);
}

TEST(LshPlan, PredictsHowManyPairsAreFound) {
  std::mt19937_64 random(3);
  const LshPlan plan{10, 4};
  const MinHasher hasher(40, 1);
  for (const size_t common : {20, 40, 60}) {
    const double jaccard = static_cast<double>(common) / 100;
    constexpr int kTrials = 4000;
    int missed = 0;
    for (int i = 0; i < kTrials; ++i) {
      const auto sets = testing::random_sets(random, common, (100 - common) / 2, (100 - common) / 2);
      std::vector<uint32_t> signature(40);
      std::vector<uint8_t> rows;
      hasher.sketch(sets.a, signature);
      BandKeys::append_row(plan, signature, rows);
      hasher.sketch(sets.b, signature);
      BandKeys::append_row(plan, signature, rows);
      missed += !BandKeys::share_band(plan, rows.data(), rows.data() + BandKeys::row_bytes(plan));
    }
    EXPECT_LT(std::abs(testing::z_score(missed, kTrials, plan.miss_probability(jaccard))), testing::kImprobable) << jaccard;
  }
}

}  // namespace
}  // namespace neardup
