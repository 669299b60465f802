#include "neardup/tools/hamming_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "index/hamming_plan/hamming_flips.h"
#include "neardup/tools/hamming_prediction.h"
#include "neardup/tools/plan.h"
#include "support/sanitized.h"
#include "support/skewed_codes.h"

namespace neardup {
namespace {

using namespace testing;

constexpr uint64_t kNumbers[] = {2'048, 30'000, 50'000'000, uint64_t{1} << 37};

std::vector<uint8_t> order_of(const HammingPlan& plan) {
  std::vector<uint8_t> order = plan.order;
  if (order.empty()) {
    order.resize(plan.bits);
    std::iota(order.begin(), order.end(), uint8_t{0});
  }
  return order;
}

template <typename Code>
class HammingPlannerTest : public ::testing::Test {};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingPlannerTest, Codes);

// Every plan that it can emit, or at least one of each kind.
template <typename Code, typename Visit>
void for_each_plan(const Visit& visit) {
  for (const Skew skew : kSkews) {
    HammingStatistics statistics = hamming_statistics(skewed_codes<Code>(7, 4'000, skew), 4'000);
    if (skew == Skew::kNone) statistics = HammingStatistics::uniform(Code::kBits, 0);
    for (const uint64_t number : kNumbers) {
      statistics.entries = statistics.distinct = number;
      for (const uint32_t radius : {0u, 1u, 2u, 3u, 5u, 8u, 16u, 40u, Code::kBits}) {
        for (const HammingUse use : {HammingUse::kQuery, HammingUse::kSelfJoin}) {
          for (const double bytes : {0.0, 16.0, 400.0}) visit(statistics, radius, HammingPlanBudget{use, bytes});
        }
      }
    }
  }
}

TYPED_TEST(HammingPlannerTest, EveryPlanIsGood) {
  size_t with_tables = 0;
  std::mt19937_64 random(3);
  for_each_plan<TypeParam>([&](const HammingStatistics& statistics, uint32_t radius, const HammingPlanBudget& budget) {
    const HammingPlan plan = plan_hamming(statistics, radius, budget);
    ASSERT_EQ(hamming_plan_problem(plan), "") << statistics.distinct << ' ' << radius;
    ASSERT_EQ(plan.bits, statistics.bits);
    ASSERT_EQ(plan.radius, radius);
    if (statistics.distinct <= kHammingFlat) {
      ASSERT_TRUE(plan.blocks.empty());
    }
    if (plan.blocks.empty()) return;
    ++with_tables;
    const HammingPrediction costs = predict_hamming(plan, statistics, {});
    const double most = budget.bytes_per_code > 0 ? budget.bytes_per_code : statistics.bits == 64 ? 30 : 100;
    ASSERT_LE(costs.bytes_per_code, most);
    const std::vector<uint8_t> order = order_of(plan);
    for (const HammingBlock& block : plan.blocks) {
      for (uint32_t i = block.begin; i < block.begin + block.width; ++i) {
        if (statistics.sampled == 0) break;
        ASSERT_NE(statistics.ones[order[i]], 0u) << "a constant bit is in a block";
        ASSERT_NE(statistics.ones[order[i]], statistics.sampled) << "a constant bit is in a block";
      }
    }
    // The pigeonhole principle through the order of bits: any difference of `radius` bits is seen by some table.
    for (int trial = 0; trial < 8; ++trial) {
      std::vector<uint8_t> shuffled = order;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      std::vector<bool> differs(plan.bits, false);
      for (uint32_t i = 0; i < radius; ++i) differs[shuffled[i]] = true;
      bool seen = false;
      for (const HammingBlock& block : plan.blocks) {
        uint32_t flips = 0;
        for (uint32_t i = block.begin; i < block.begin + block.width; ++i) flips += differs[order[i]] ? 1 : 0;
        seen = seen || flips <= block.flips;
      }
      ASSERT_TRUE(seen);
    }
  });
  EXPECT_GT(with_tables, 400u);
}

TYPED_TEST(HammingPlannerTest, SameInputSamePlan) {
  for (const Skew skew : kSkews) {
    const auto codes = skewed_codes<TypeParam>(8, 20'000, skew);
    const HammingPlan plan = plan_hamming(hamming_statistics(std::span(codes)), 6, {});
    auto turned = codes;  // everything is in the sample: its order does not matter
    std::reverse(turned.begin(), turned.end());
    EXPECT_EQ(plan_hamming(hamming_statistics(std::span<const TypeParam>(turned)), 6, {}), plan);
  }
}

TYPED_TEST(HammingPlannerTest, UniformCodesKeepTheirOrder) {
  const auto codes = skewed_codes<TypeParam>(9, 50'000, Skew::kNone);
  const HammingPlan plan = plan_hamming(hamming_statistics(std::span(codes)), 3, {});
  EXPECT_FALSE(plan.blocks.empty());
  EXPECT_TRUE(plan.order.empty());
  EXPECT_EQ(plan, plan_hamming(HammingStatistics::uniform(TypeParam::kBits, codes.size()), 3, {}));
}

// Candidates of real queries: codes of the buckets that a query looks into.
TYPED_TEST(HammingPlannerTest, PredictsCandidates) {
  for (const Skew skew : {Skew::kNone, Skew::kConstantBits, Skew::kMixed, Skew::kRepeated}) {
    const auto codes = skewed_codes<TypeParam>(10, 30'000, skew);
    const HammingStatistics statistics = hamming_statistics(std::span(codes));
    for (const uint32_t radius : {3u, 7u}) {
      const HammingPlan plan = plan_hamming(statistics, radius, {});
      if (plan.blocks.empty()) continue;
      const std::vector<uint8_t> order = order_of(plan);
      constexpr size_t kQueries = testing::unless_sanitized(60, 20);
      uint64_t candidates = 0;
      for (size_t q = 0; q < kQueries; ++q) {
        for (const TypeParam& code : codes) {
          for (const HammingBlock& block : plan.blocks) {
            uint32_t flips = 0;
            for (uint32_t i = block.begin; i < block.begin + block.width; ++i) {
              flips += has_bit(code, order[i]) != has_bit(codes[q * 500], order[i]) ? 1 : 0;
            }
            candidates += flips <= block.flips ? 1 : 0;
          }
        }
      }
      const double measured = static_cast<double>(candidates) / kQueries - static_cast<double>(plan.blocks.size());  // without itself
      const double predicted = predict_hamming(plan, statistics, {}).candidates;
      EXPECT_NEAR(predicted, measured, 0.3 * measured + 2) << static_cast<int>(skew) << ' ' << radius;
    }
  }
}

TYPED_TEST(HammingPlannerTest, FalseCandidatesFollowTheBinomialDistribution) {
  for (const uint32_t radius : {0u, 3u, 12u}) {
    const HammingStatistics statistics = HammingStatistics::uniform(TypeParam::kBits, 1'000'000);
    const HammingPrediction costs = predict_hamming(plan_hamming(statistics, radius, {}), statistics, {});
    const double chance = fingerprint_chance(TypeParam::kBits, radius);
    EXPECT_NEAR(costs.strangers_per_query / (1e6 * chance), 1, 1e-9);
    EXPECT_NEAR(costs.strangers_in_self_join / (1e6 * 999'999 / 2 * chance), 1, 1e-9);
  }
}

TYPED_TEST(HammingPlannerTest, MoreWorkIsPredictedToTakeLonger) {
  for (const HammingUse use : {HammingUse::kQuery, HammingUse::kSelfJoin}) {
    const auto work = [&](double codes, uint32_t radius) {
      const HammingStatistics statistics = HammingStatistics::uniform(TypeParam::kBits, static_cast<uint64_t>(codes));
      const HammingPrediction costs = predict_hamming(plan_hamming(statistics, radius, {use, 1e4}), statistics, {});
      return use == HammingUse::kQuery ? costs.query_ns : costs.build_seconds + costs.self_join_seconds;
    };
    for (uint32_t radius = 0; radius < 20; ++radius) {
      for (double codes = 16'384; codes < 1e10; codes *= 4) {
        EXPECT_LE(work(codes, radius), work(codes * 4, radius) * 1.25) << codes << ' ' << radius;
        EXPECT_LE(work(codes, radius), work(codes, radius + 1) * 1.1) << codes << ' ' << radius;
      }
    }
  }
}

// What the literature and trials say is good; see docs of the index.
TEST(HammingPlanner, KnownSettings) {
  const auto uniform = [](uint32_t bits, uint64_t codes) { return HammingStatistics::uniform(bits, codes); };
  const HammingStatistics fifty = uniform(64, 50'000'000);
  const HammingPlan query = plan_hamming(fifty, 3, {});
  const HammingPrediction costs = predict_hamming(query, fifty, {});
  EXPECT_GE(query.blocks.size(), 2u);
  EXPECT_LE(query.blocks.size(), 3u);
  EXPECT_LE(costs.probes, 60u);
  EXPECT_LE(costs.query_ns, 2'500);
  EXPECT_LE(costs.batched_query_ns, 5.5 * 170);
  EXPECT_LT(costs.candidates, 400);

  const HammingStatistics ten = uniform(128, 10'000'000);
  const HammingPlan join = plan_hamming(ten, 16, {HammingUse::kSelfJoin, 0});
  EXPECT_GE(join.blocks.size(), 5u);
  EXPECT_LE(join.blocks.size(), 7u);
  EXPECT_EQ(join.blocks.front().flips, 2u);
  EXPECT_NEAR(join.blocks.front().width, 21, 2);

  const HammingStatistics billion = uniform(64, 1'000'000'000);
  EXPECT_LE(predict_hamming(plan_hamming(billion, 3, {}), billion, {}).query_ns, 5'000);
  EXPECT_LE(predict_hamming(plan_hamming(billion, 3, {}), billion, {}).bytes_per_code, 30);
}

TEST(HammingPlanner, ConstantBitsCostLittle) {
  HammingStatistics skewed = hamming_statistics(skewed_codes<Fingerprint64>(1, 60'000, Skew::kConstantBits), 10'000'000);
  const HammingStatistics uniform = HammingStatistics::uniform(64, 10'000'000);
  const HammingPrediction with = predict_hamming(plan_hamming(skewed, 3, {}), skewed, {});
  const HammingPrediction without = predict_hamming(plan_hamming(uniform, 3, {}), uniform, {});
  EXPECT_LE(with.query_ns, 3 * without.query_ns);
}

TEST(MachineSpeedTest, MeasuresWhatCanBe) {
  const MachineSpeed speed = MachineSpeed::measured();
  for (const MachineSpeed::Level& level : speed.levels) {
    EXPECT_GT(level.read_ns, 0);
    EXPECT_LT(level.read_ns, 5'000);
    EXPECT_GT(level.dependent_ns, level.read_ns);
  }
  EXPECT_GT(speed.levels[2].dependent_ns, speed.levels[0].dependent_ns);
  EXPECT_GT(speed.scan_byte_ns, 0.001);
  EXPECT_LT(speed.scan_byte_ns, 50);
}

}  // namespace
}  // namespace neardup
