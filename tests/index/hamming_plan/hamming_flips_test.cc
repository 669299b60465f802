#include "index/hamming_plan/hamming_flips.h"

#include <gtest/gtest.h>

#include <bit>
#include <tuple>

namespace neardup {
namespace {

HammingPlan plan_of(uint32_t radius, std::vector<std::pair<uint32_t, uint32_t>> widths_and_flips) {
  HammingPlan plan{.bits = 64, .radius = radius, .order = {}, .blocks = {}};
  uint32_t begin = 0;
  for (const auto& [width, flips] : widths_and_flips) {
    plan.blocks.push_back({begin, width, flips});
    begin += width;
  }
  return plan;
}

// By counting.
uint64_t slow_volume(uint32_t width, uint32_t flips) {
  uint64_t count = 0;
  for (uint32_t value = 0; value < 1u << width; ++value) count += static_cast<uint32_t>(std::popcount(value)) <= flips ? 1 : 0;
  return count;
}

TEST(HammingFlips, VolumeCountsValues) {
  for (uint32_t width = 1; width <= 16; ++width) {
    for (uint32_t flips = 0; flips <= width + 1; ++flips) EXPECT_EQ(hamming_volume(width, flips), slow_volume(width, flips));
  }
  EXPECT_EQ(hamming_volume(36, 36), uint64_t{1} << 36);
  EXPECT_EQ(hamming_volume(64, 3), 43745u);
  EXPECT_EQ(hamming_volume(128, 64), kNoVolume);
}

TEST(HammingFlips, TheWholeRadiusTakesTheWholePlan) {
  EXPECT_EQ(hamming_flips(plan_of(3, {{26, 1}, {26, 1}}), 3), (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(hamming_flips(plan_of(3, {{22, 1}, {21, 0}, {21, 0}}), 3), (std::vector<int32_t>{1, 0, 0}));
  EXPECT_EQ(hamming_probes(plan_of(3, {{26, 1}, {26, 1}}), 3), 54u);
  EXPECT_EQ(hamming_probes(plan_of(3, {}), 3), 0u);
}

TEST(HammingFlips, LessTakesTheCheapest) {
  const HammingPlan two = plan_of(3, {{26, 1}, {26, 1}});
  EXPECT_EQ(hamming_flips(two, 2), (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(hamming_flips(two, 1), (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(hamming_flips(two, 0), (std::vector<int32_t>{0, -1}));
  EXPECT_EQ(hamming_probes(two, 2), 28u);
  EXPECT_EQ(hamming_probes(two, 0), 1u);
  EXPECT_EQ(hamming_flips(plan_of(3, {{20, 0}, {24, 1}, {20, 0}}), 0), (std::vector<int32_t>{-1, 0, -1})) << "the narrowest buckets";
  EXPECT_EQ(hamming_flips(plan_of(3, {{20, 0}, {24, 1}, {20, 0}}), 1), (std::vector<int32_t>{0, 0, -1}));
}

TEST(HammingFlips, AllFlipsWhenThePlanDoesNotReach) {
  EXPECT_EQ(hamming_flips(plan_of(3, {{8, 1}, {8, 1}}), 9), (std::vector<int32_t>{1, 1}));
}

// Every choice, one after the other.
using Choice = std::tuple<uint64_t, uint64_t, std::vector<int32_t>>;  // probes, share, flips negated: the least is the one wanted
void all_choices(const HammingPlan& plan, uint32_t radius, std::vector<int32_t>& flips, Choice& best) {
  if (flips.size() < plan.blocks.size()) {
    for (int32_t f = -1; f <= static_cast<int32_t>(plan.blocks[flips.size()].flips); ++f) {
      flips.push_back(f);
      all_choices(plan, radius, flips, best);
      flips.pop_back();
    }
    return;
  }
  Choice choice{0, 0, {}};
  int64_t reach = 0;
  for (size_t t = 0; t < flips.size(); ++t) {
    reach += flips[t] + 1;
    std::get<2>(choice).push_back(-flips[t]);
    if (flips[t] < 0) continue;
    const uint64_t volume = slow_volume(plan.blocks[t].width, static_cast<uint32_t>(flips[t]));
    std::get<0>(choice) += volume;
    std::get<1>(choice) += volume << (kMaxHammingBlock - plan.blocks[t].width);
  }
  if (reach > radius && choice < best) best = choice;
}

TEST(HammingFlips, NoOtherChoiceIsCheaper) {
  for (const HammingPlan& plan : {plan_of(3, {{12, 1}, {12, 1}}), plan_of(7, {{10, 2}, {12, 2}, {11, 1}}), plan_of(5, {{4, 3}, {10, 1}}),
                                  plan_of(6, {{12, 0}, {12, 1}, {12, 2}, {9, 0}}), plan_of(9, {{3, 3}, {2, 2}, {3, 3}, {5, 1}}),
                                  plan_of(2, {{5, 0}, {5, 0}, {5, 0}}), plan_of(3, {{12, 1}, {12, 1}, {12, 1}})}) {
    for (uint32_t radius = 0; radius <= plan.radius; ++radius) {
      Choice best{UINT64_MAX, 0, {}};
      std::vector<int32_t> flips;
      all_choices(plan, radius, flips, best);
      std::vector<int32_t> expected;
      for (const int32_t f : std::get<2>(best)) expected.push_back(-f);
      EXPECT_EQ(hamming_flips(plan, radius), expected) << radius;
      EXPECT_EQ(hamming_probes(plan, radius), std::get<0>(best));
    }
  }
}

}  // namespace
}  // namespace neardup
