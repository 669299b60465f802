// Queries and self-joins against the flat twin, for every kind of data, every radius, and the plans of small and of large indexes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neardup/hamming_index.h"
#include "neardup/tools/hamming_plan.h"
#include "support/codes.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

constexpr size_t kCodes = 900;

template <typename Code>
std::vector<std::vector<Code>> kinds() {
  std::vector<std::vector<Code>> all;
  all.push_back(testing::make_codes<Code>(21, kCodes, 20));  // half of them near another one
  std::vector<Code> clustered = testing::make_codes<Code>(22, 50, 0);
  std::mt19937_64 random(23);
  while (clustered.size() < kCodes) {
    Code code = clustered[random() % 50];
    for (uint32_t flips = static_cast<uint32_t>(random() % 22); flips > 0; --flips) testing::flip(code, static_cast<uint32_t>(random()));
    clustered.push_back(code);
  }
  all.push_back(clustered);
  std::vector<Code> constant = testing::make_codes<Code>(24, kCodes, 20);
  for (Code& code : constant) code.low = (code.low & ~uint64_t{0x3FFFFF}) | 0x15A5A5;  // 22 bits say nothing
  all.push_back(constant);
  all.push_back(std::vector<Code>(kCodes, constant[0]));
  return all;
}

// Those that the planner gives for up to 10^9 codes, for either use, as far as their directories fit into a test.
template <typename Code>
std::vector<HammingPlan> plans(const std::vector<Code>& codes, uint32_t radius) {
  std::vector<HammingPlan> all = {{.bits = Code::kBits, .radius = radius}};
  const auto add = [&](const HammingPlan& plan) {
    const bool small = std::ranges::all_of(plan.blocks, [](const HammingBlock& block) { return block.width <= 18; });
    if (small && hamming_probes(plan, radius) < 5'000 && std::ranges::find(all, plan) == all.end()) all.push_back(plan);
  };
  HammingStatistics statistics = hamming_statistics(std::span<const Code>(codes));
  for (const HammingUse use : {HammingUse::kQuery, HammingUse::kSelfJoin}) {
    for (const double bytes : {0.0, 1000.0}) {
      for (uint64_t entries = kCodes; entries <= 1'000'000'000; entries *= 64) {
        add(plan_hamming(HammingStatistics::uniform(Code::kBits, entries), radius, {use, bytes}));
        statistics.entries = entries;
        statistics.distinct = entries;
        add(plan_hamming(statistics, radius, {use, bytes}));
      }
    }
  }
  return all;
}

template <typename Code>
void check(const std::vector<Code>& codes, const HammingPlan& plan) {
  const auto index = HammingIndex<Code>::build(codes, {}, {.plan = plan, .threads = 2});
  std::vector<uint64_t> within(plan.radius + 1, 0);  // pairs, by distance
  for (size_t b = 0; b < codes.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      const uint32_t distance = hamming_distance(codes[a], codes[b]);
      if (distance <= plan.radius) ++within[distance];
    }
  }
  std::vector<uint64_t> joined(plan.radius + 1, 0);
  index.self_join(plan.radius, 2, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& pair : pairs) {
      ASSERT_EQ(hamming_distance(codes[pair.a], codes[pair.b]), pair.distance);
      ++joined[pair.distance];
    }
  });
  ASSERT_EQ(joined, within);
  HammingScratch scratch;
  std::vector<HammingHit> hits;
  for (size_t q = 0; q < codes.size(); q += 113) {
    std::vector<HammingHit> expected;
    for (size_t row = 0; row < codes.size(); ++row) {
      const uint32_t distance = hamming_distance(codes[row], codes[q]);
      if (distance <= plan.radius) expected.push_back({distance, row});
    }
    std::ranges::sort(expected);
    index.query(codes[q], plan.radius, scratch, hits);
    ASSERT_EQ(hits, expected);
  }
}

template <typename Code>
void check_all(uint32_t most) {
  std::set<size_t> tables;
  for (const auto& codes : kinds<Code>()) {
    for (uint32_t radius = 0; radius <= most; ++radius) {
      for (const HammingPlan& plan : plans(codes, radius)) {
        SCOPED_TRACE("radius " + std::to_string(radius) + ", tables " + std::to_string(plan.blocks.size()));
        tables.insert(plan.blocks.size());
        check(codes, plan);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(tables.size(), 4u) << "the plans are too much alike";
}

TEST(HammingExact, SixtyFourBits) {
  check_all<Fingerprint64>(8);
}
TEST(HammingExact, OneHundredAndTwentyEightBits) {
  check_all<Fingerprint128>(testing::unless_sanitized(20, 8));
}

}  // namespace
}  // namespace neardup
