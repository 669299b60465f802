#include "neardup/tools/hamming_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "index/hamming_plan/hamming_flips.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

HammingPlan two_tables() {
  return {.bits = 64, .radius = 3, .order = {}, .blocks = {{0, 26, 1}, {26, 26, 1}}};
}

TEST(HammingPlan, GoodPlansHaveNoProblem) {
  EXPECT_EQ(hamming_plan_problem(two_tables()), "");
  EXPECT_EQ(hamming_plan_problem({.bits = 128, .radius = 128, .order = {}, .blocks = {}}), "");
  HammingPlan ordered = two_tables();
  ordered.order.resize(64);
  std::iota(ordered.order.rbegin(), ordered.order.rend(), uint8_t{0});
  EXPECT_EQ(hamming_plan_problem(ordered), "");
  EXPECT_EQ(hamming_plan_problem({.bits = 128, .radius = 0, .order = {}, .blocks = {{92, 36, 0}}}), "");
}

TEST(HammingPlan, EveryBoundIsReported) {
  const auto problem = [](auto&& change) {
    HammingPlan plan = two_tables();
    change(plan);
    return hamming_plan_problem(plan);
  };
  EXPECT_THAT(problem([](HammingPlan& p) { p.bits = 32; }), HasSubstr("64 or 128, not 32"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.radius = 65; }), HasSubstr("at most 64, not 65"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.radius = 4; }), HasSubstr("only within 3"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.order = {0, 1}; }), HasSubstr("each of 64 bits once"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.order.assign(64, 0); }), HasSubstr("each of 64 bits once"));
  EXPECT_THAT(problem([](HammingPlan& p) {
                p.order.resize(64);
                std::iota(p.order.begin(), p.order.end(), uint8_t{1});
              }),
              HasSubstr("each of 64 bits once"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[0].width = 0; }), HasSubstr("block 0: width must be 1 to 36, not 0"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[1].width = 37; }), HasSubstr("block 1: width must be 1 to 36, not 37"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[1].begin = 25; }), HasSubstr("block 1: begins at 25, but the previous one ends at 26"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[1].begin = 39; }), HasSubstr("block 1: begins at 39 with width 26, beyond 64 bits"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[1].begin = UINT32_MAX; }), HasSubstr("beyond 64 bits"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[0].flips = 27; }), HasSubstr("flips must be at most 26, not 27"));
  EXPECT_THAT(problem([](HammingPlan& p) { p.blocks[0].flips = 26; }), HasSubstr("at most 4194304 buckets, not 67108891"));
  EXPECT_THAT(problem([](HammingPlan& p) {
                p.blocks.clear();
                for (uint32_t b = 0; b < 33; ++b) p.blocks.push_back({b, 1, 0});
              }),
              HasSubstr("at most 32 blocks are possible, not 33"));
}

// The pigeonhole principle in its general form, by trying: for every plan over `bits` bits that keeps the rule, and every two codes within
// the radius (it is enough to try all differences), some table that the radius uses looks into the bucket of the other.
TEST(HammingPlan, NothingIsMissedWhateverThePlan) {
  constexpr uint32_t kBits = 9;
  for (uint32_t first = 1; first <= 4; ++first) {
    for (uint32_t second = 1; first + second <= kBits; ++second) {
      for (const uint32_t third : {0u, kBits - first - second}) {  // with and without bits outside of the blocks
        for (uint32_t code = 0; code < 27; ++code) {
          HammingPlan plan{.bits = 64, .radius = 0, .order = {}, .blocks = {{0, first, code % 3}, {first, second, code / 3 % 3}}};
          if (third > 0) plan.blocks.push_back({first + second, third, code / 9});
          uint32_t reach = 0;
          for (const HammingBlock& block : plan.blocks) reach += block.flips + 1;
          plan.radius = reach - 1;
          if (hamming_plan_problem(plan) != "") continue;  // more flips than bits
          for (uint32_t radius = 0; radius <= plan.radius; ++radius) {
            const std::vector<int32_t> flips = hamming_flips(plan, radius);
            for (uint32_t difference = 0; difference < 1u << kBits; ++difference) {
              if (static_cast<uint32_t>(std::popcount(difference)) > radius) continue;
              bool found = false;
              for (size_t t = 0; t < plan.blocks.size(); ++t) {
                const HammingBlock& block = plan.blocks[t];
                const uint32_t in_block = difference >> block.begin & ((1u << block.width) - 1);
                found = found || std::popcount(in_block) <= flips[t];
              }
              ASSERT_TRUE(found) << first << '+' << second << '+' << third << " radius " << radius << " difference " << difference;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup
