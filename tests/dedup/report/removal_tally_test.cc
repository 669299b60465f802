#include "dedup/report/removal_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RemovalMeasure measure_at(uint32_t millionths) {
  return {.threshold = Threshold::from_millionths(millionths)};
}

Overlap share(uint32_t common, uint32_t of) {
  return {.common = common, .size_a = of, .size_b = common};
}

std::vector<uint32_t> floors_of(const RemovalMeasure& measure) {
  RemovalTally tally(measure);
  tally.count(share(1, 1));
  std::vector<uint32_t> floors;
  for (const RemovalBand& band : tally.bands()) floors.push_back(band.from);
  return floors;
}

TEST(RemovalTally, AtMostFiveBandsDownToTheThreshold) {
  EXPECT_THAT(floors_of(measure_at(800'000)), ElementsAre(950'000, 900'000, 850'000, 800'000));
  EXPECT_THAT(floors_of(measure_at(833'333)), ElementsAre(950'000, 900'000, 850'000, 833'333));
  EXPECT_THAT(floors_of(measure_at(950'000)), ElementsAre(990'000, 980'000, 970'000, 960'000, 950'000));
  EXPECT_THAT(floors_of(measure_at(500'000)), ElementsAre(900'000, 800'000, 700'000, 600'000, 500'000));
  EXPECT_THAT(floors_of(measure_at(1)), ElementsAre(800'000, 600'000, 400'000, 200'000, 1));
  EXPECT_THAT(floors_of(measure_at(1'000'000)), ElementsAre(1'000'000));
}

TEST(RemovalTally, BandsIncludeTheirLowerEnd) {
  RemovalTally tally(measure_at(800'000));
  tally.count(share(95, 100));
  tally.count(share(949'999'999, 1'000'000'000));
  tally.count(share(4, 5));
  tally.count(share(1, 1));
  tally.count({.common = 0, .size_a = 0, .size_b = 0});  // two empty sets are equal
  EXPECT_THAT(tally.bands(), ElementsAre(RemovalBand{950'000, 1'000'000, 3}, RemovalBand{900'000, 950'000, 1},
                                         RemovalBand{850'000, 900'000, 0}, RemovalBand{800'000, 850'000, 1}));
  tally.count(share(799'999'999, 1'000'000'000));  // connected
  EXPECT_EQ(tally.bands().back(), (RemovalBand{0, 800'000, 1}));
}

TEST(RemovalTally, WithoutRemovalsThereAreNoBands) {
  EXPECT_THAT(RemovalTally(measure_at(800'000)).bands(), IsEmpty());
  EXPECT_THAT(RemovalTally({.bits = 64, .max_distance = 3}).bands(), IsEmpty());
}

TEST(RemovalTally, DistancesOneByOneOrInGroups) {
  const auto counted = [](uint32_t max_distance, const std::vector<uint32_t>& distances) {
    RemovalTally tally({.bits = 64, .max_distance = max_distance});
    for (const uint32_t distance : distances) tally.count(share(64 - distance, 64));
    return tally.bands();
  };
  EXPECT_THAT(counted(0, {0, 0}), ElementsAre(RemovalBand{0, 0, 2}));
  EXPECT_THAT(counted(3, {3, 0, 3}), ElementsAre(RemovalBand{0, 0, 1}, RemovalBand{1, 1, 0}, RemovalBand{2, 2, 0}, RemovalBand{3, 3, 2}));
  EXPECT_THAT(counted(6, {1, 2, 6}), ElementsAre(RemovalBand{0, 1, 1}, RemovalBand{2, 3, 1}, RemovalBand{4, 5, 0}, RemovalBand{6, 6, 1}));
  EXPECT_EQ(counted(3, {9}).back(), (RemovalBand{4, 64, 1}));
  EXPECT_LE(counted(64, {1}).size(), 6u);
}

TEST(RemovalTally, EstimatesAreBandedAsTheirRootsSay) {
  for (const LshPlan plan : {LshPlan{21, 6}, LshPlan{1, 1}, LshPlan{59, 2}, LshPlan{9, 13}, LshPlan{128, 1}}) {
    const RemovalMeasure measure{.threshold = Threshold::from_millionths(800'000), .estimate = plan};
    for (uint32_t shared = 0; shared <= plan.bands; ++shared) {
      RemovalTally tally(measure);
      const Overlap overlap{.common = shared, .size_a = plan.bands, .size_b = plan.bands};
      tally.count(overlap);
      const double estimate = measure.similarity(overlap);
      uint64_t counted = 0;
      for (const RemovalBand& band : tally.bands()) {
        counted += band.removed;
        if (band.removed == 0) continue;
        EXPECT_GE(estimate, band.from / 1e6 - 1e-9) << shared << " of " << plan.bands;
        EXPECT_LE(estimate, band.to / 1e6 + 1e-9) << shared << " of " << plan.bands;
      }
      EXPECT_EQ(counted, 1u);
    }
  }
  // Exactly on a border: (1/2)^(1/1) is 0.5.
  RemovalTally border({.threshold = Threshold::from_millionths(500'000), .estimate = {2, 1}});
  border.count({.common = 1, .size_a = 2, .size_b = 2});
  EXPECT_EQ(border.bands().back(), (RemovalBand{500'000, 600'000, 1}));
}

TEST(RemovalTally, KeepsTheThreeLeastSimilarInDocumentOrder) {
  RemovalTally tally(measure_at(500'000));
  const Overlap overlaps[] = {share(9, 10), share(3, 4), share(6, 8), share(75, 100), share(2, 3), share(1, 1)};
  for (uint32_t i = 0; i < std::size(overlaps); ++i) tally.consider(i, overlaps[i]);
  std::vector<uint32_t> documents;
  for (const RemovalTally::Removed& removed : tally.least()) documents.push_back(removed.document);
  EXPECT_THAT(documents, ElementsAre(4, 1, 2));
}

TEST(RemovalMeasure, FractionsAreComparedWithoutRounding) {
  const RemovalMeasure measure = measure_at(800'000);
  const Overlap a{.common = 4'000'000'000, .size_a = 4'000'000'001, .size_b = 4'000'000'000};
  const Overlap b{.common = 3'999'999'999, .size_a = 4'000'000'000, .size_b = 3'999'999'999};
  EXPECT_TRUE(measure.less_similar(b, a));
  EXPECT_FALSE(measure.less_similar(a, b));
  EXPECT_FALSE(measure.less_similar(a, a));
  EXPECT_FALSE(measure.less_similar({}, a));  // two empty sets are equal
}

TEST(RemovalTallies, MeasureContainmentByTheRemovedDocument) {
  const RemovalMeasure measure{.threshold = Threshold::from_millionths(800'000), .containment = true};
  const Overlap small{.common = 90, .size_a = 100, .size_b = 90};
  const Overlap large{.common = 80, .size_a = 100, .size_b = 1'000'000};
  EXPECT_EQ(measure.similarity(small), 0.9);
  EXPECT_EQ(measure.similarity(large), 0.8);
  EXPECT_TRUE(measure.less_similar(large, small));
  RemovalTally tally(measure);
  tally.count(small);
  tally.count(large);
  ASSERT_EQ(tally.bands().size(), 4u);  // down to 0.95, 0.9, 0.85, 0.8
  EXPECT_EQ(tally.bands()[1].removed, 1u);
  EXPECT_EQ(tally.bands()[3].removed, 1u);
}

}  // namespace
}  // namespace neardup
