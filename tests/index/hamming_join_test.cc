#include "index/hamming_join.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <string>

#include "dedup/union_find.h"
#include "support/codes.h"

namespace neardup {
namespace {

using testing::CodePairs;
using testing::flat_pairs;
using testing::make_codes;

template <typename Code>
CodePairs joined(const std::vector<Code>& codes, const JoinPlan& plan, const HammingRun& run) {
  CodePairs pairs;
  std::mutex mutex;
  hamming_join(codes, plan, run, [&](uint32_t worker, uint32_t a, uint32_t b, uint32_t distance) {
    const std::lock_guard lock(mutex);
    EXPECT_LT(worker, run.threads);
    EXPECT_TRUE(pairs.emplace(std::pair(a, b), distance).second) << a << ", " << b << " came twice";
  });
  return pairs;
}

// label[row]: the least row that a chain of pairs connects it with.
std::vector<uint32_t> labels(UnionFind& sets) {
  std::vector<uint32_t> made(sets.size());
  for (uint32_t row = 0; row < made.size(); ++row) made[row] = sets.root(row);
  return made;
}

template <typename Code>
std::vector<uint32_t> connected(const std::vector<Code>& codes, const JoinPlan& plan, const HammingRun& run) {
  UnionFind sets(static_cast<uint32_t>(codes.size()));
  hamming_connect(codes, plan, run, [&](uint32_t, uint32_t a, uint32_t b, uint32_t distance) {
    EXPECT_LT(a, b);
    EXPECT_EQ(distance, hamming_distance(codes[a], codes[b]));
    EXPECT_LE(distance, plan.radius);
    sets.unite(a, b);
  });
  return labels(sets);
}

template <typename Code>
class HammingJoin : public ::testing::Test {
 protected:
  // Compares the join and the connections of all sensible plans with the flat twin.
  void check(const std::vector<Code>& codes, uint32_t radius, const std::vector<HammingRun>& runs) {
    const CodePairs expected = flat_pairs<Code>(codes, radius);
    UnionFind sets(static_cast<uint32_t>(codes.size()));
    for (const auto& [pair, distance] : expected) sets.unite(pair.first, pair.second);
    const auto expected_labels = labels(sets);
    std::vector<JoinPlan> plans = {plan_join(Code::kBits, radius, codes.size()), {radius, 1, 0}};
    for (uint32_t more = 1; more <= 3 && radius + more <= Code::kBits; ++more) {
      if (join_tables({radius, radius + more, more}, Code::kBits).size() <= 200) plans.push_back({radius, radius + more, more});
    }
    for (const JoinPlan& plan : plans) {
      for (const HammingRun& run : runs) {
        const std::string what = "radius " + std::to_string(radius) + ", blocks " + std::to_string(plan.blocks);
        ASSERT_EQ(joined(codes, plan, run), expected) << what;
        ASSERT_EQ(connected(codes, plan, run), expected_labels) << what;
      }
    }
  }
};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingJoin, Codes);

TYPED_TEST(HammingJoin, EqualsTheFlatTwinAtEveryRadius) {
  for (const uint32_t radius : {0u, 1u, 2u, 3u, 4u, 7u, 20u}) {
    this->check(make_codes<TypeParam>(radius, 600, radius + 2), radius, {{.threads = 1}, {.threads = 3}});
  }
  for (const uint32_t radius : {TypeParam::kBits - 1, TypeParam::kBits, TypeParam::kBits + 5}) {
    this->check(make_codes<TypeParam>(radius, 60, 9), radius, {{.threads = 2}});
  }
  for (size_t count = 0; count < 5; ++count) this->check(make_codes<TypeParam>(1, count, 2), 3, {{.threads = 2}});
}

TYPED_TEST(HammingJoin, FindsEveryPairAtExactlyTheRadius) {
  // All ways to flip 3 bits of a code, none nearer than 3 and none further; and those with 4, which are out.
  std::vector<TypeParam> codes(1);
  std::mt19937_64 random(5);
  testing::make_random(random, codes[0]);
  size_t inside = 0;
  for (uint32_t a = 0; a < TypeParam::kBits; a += 3) {
    for (uint32_t b = a + 1; b < TypeParam::kBits; b += 5) {
      for (uint32_t c = b + 1; c < TypeParam::kBits; c += 7) {
        TypeParam code = codes[0];
        for (const uint32_t bit : {a, b, c}) testing::flip(code, bit);
        codes.push_back(code);
        ++inside;
        if (c + 1 == TypeParam::kBits) continue;
        testing::flip(code, TypeParam::kBits - 1);
        codes.push_back(code);
      }
    }
  }
  const auto pairs = joined(codes, plan_join(TypeParam::kBits, 3, codes.size()), {.threads = 2});
  size_t of_first = 0;
  for (const auto& [pair, distance] : pairs) {
    if (pair.first != 0) break;
    EXPECT_EQ(distance, 3u);
    ++of_first;
  }
  EXPECT_EQ(of_first, inside);
  EXPECT_GT(inside, 200u);
  EXPECT_GT(codes.size(), inside + 200);
}

TYPED_TEST(HammingJoin, LittleMemoryAndManyCodes) {
  // More codes than the least range holds, so that they are swept several times.
  const auto codes = make_codes<TypeParam>(6, 40'000, 4);
  const JoinPlan plan = plan_join(TypeParam::kBits, 3, codes.size());
  const CodePairs expected = joined(codes, plan, {.threads = 2});
  EXPECT_GT(expected.size(), 10'000u);
  EXPECT_EQ(joined(codes, plan, {.threads = 3, .memory_bytes = 1}), expected);
  EXPECT_EQ(joined(codes, {3, 5, 2}, {.threads = 1, .memory_bytes = 1 << 18}), expected);
  const auto labels = connected(codes, plan, {.threads = 2});
  EXPECT_EQ(connected(codes, plan, {.threads = 1, .memory_bytes = 1}), labels);
}

TYPED_TEST(HammingJoin, LargeGroupsAreSharedByThreads) {
  // 9,000 distinct codes in one group of the table without a key; a flat twin of one code a strip keeps it quick.
  const auto codes = make_codes<TypeParam>(7, 18'000, 3);
  const auto pairs = joined(codes, {3, 1, 0}, {.threads = 3});
  EXPECT_EQ(joined(codes, {3, 4, 1}, {.threads = 1}), pairs);
  for (uint32_t a = 0; a < codes.size(); a += 997) {
    for (uint32_t b = a + 1; b < codes.size(); ++b) {
      ASSERT_EQ(pairs.count({a, b}) == 1, hamming_distance(codes[a], codes[b]) <= 3) << a << ", " << b;
    }
  }
}

TYPED_TEST(HammingJoin, EqualCodesCostNoSquare) {
  // A million rows of two codes within the radius: as pairs they would be 5 * 10^11.
  std::mt19937_64 random(8);
  std::vector<TypeParam> codes(1'000'000);
  testing::make_random(random, codes[0]);
  for (size_t i = 1; i < codes.size(); ++i) {
    codes[i] = codes[0];
    if (i % 2 == 1) testing::flip(codes[i], 17);
  }
  std::atomic<uint64_t> calls = 0;
  hamming_connect(codes, plan_join(TypeParam::kBits, 3, codes.size()), {.threads = 2},
                  [&](uint32_t, uint32_t, uint32_t, uint32_t) { ++calls; });
  EXPECT_EQ(calls, 999'999u);
}

TYPED_TEST(HammingJoin, SkewedCodesEndInSeconds) {
  // 50,000 distinct codes that share 32 bits: all share the keys of at least half of the tables.
  std::mt19937_64 random(9);
  std::vector<TypeParam> codes(50'000);
  for (auto& code : codes) {
    testing::make_random(random, code);
    code.low >>= 32;
    if constexpr (TypeParam::kBits == 128) code.high = 5;
  }
  codes.back() = codes.front();
  testing::flip(codes.back(), 0);
  const auto pairs = joined(codes, plan_join(TypeParam::kBits, 3, codes.size()), {.threads = 2});
  EXPECT_EQ(pairs.count({0, 49'999}), 1u);
  for (const auto& [pair, distance] : pairs) EXPECT_EQ(distance, hamming_distance(codes[pair.first], codes[pair.second]));
  // 1.25 * 10^9 pairs, of which a share of (1 + 32 + 496 + 4960) / 2^32 is within the radius: 1,597 expected.
  EXPECT_GT(pairs.size(), 1'400u);
  EXPECT_LT(pairs.size(), 1'800u);
}

TEST(JoinPlan, TablesCoverEveryWayToDiffer) {
  // For every set of blocks in which a pair differs, exactly one table claims it.
  for (const JoinPlan plan : {JoinPlan{3, 4, 1}, {3, 5, 2}, {3, 6, 3}, {1, 4, 3}, {0, 1, 1}, {5, 8, 3}}) {
    for (const uint32_t bits : {64u, 128u}) {
      const auto tables = join_tables(plan, bits);
      const auto blocks = join_tables({plan.blocks - 1, plan.blocks, 1}, bits);  // one table a block
      for (uint32_t differ = 0; differ < 1u << plan.blocks; ++differ) {
        if (static_cast<uint32_t>(std::popcount(differ)) > plan.radius) continue;
        Fingerprint128 other;
        for (uint32_t b = 0; b < plan.blocks; ++b) {
          if ((differ >> b & 1) == 0) continue;
          other.low |= blocks[b].key.low;
          other.high |= blocks[b].key.high;
        }
        int claims = 0;
        for (const JoinTable& table : tables) {
          if (masked(other, table.key) != Fingerprint128{}) continue;
          bool earlier = false;
          for (const auto& block : table.earlier) earlier = earlier || masked(other, block) == Fingerprint128{};
          claims += earlier ? 0 : 1;
        }
        EXPECT_EQ(claims, 1) << plan.blocks << " blocks, differ " << differ;
      }
    }
  }
}

TEST(JoinPlan, MoreCodesOrALargerRadiusAskForWiderKeys) {
  EXPECT_EQ(plan_join(64, 3, 100).agree, 0u);  // comparing all is cheapest
  EXPECT_EQ(plan_join(64, 3, 100'000).blocks, 4u);
  EXPECT_GT(plan_join(64, 3, 1'000'000'000).blocks, 4u);
  EXPECT_GT(plan_join(64, 10, 1'000'000).blocks, 11u);
  EXPECT_EQ(plan_join(64, 64, 1'000'000).agree, 0u);
  EXPECT_EQ(plan_join(64, 0, 1'000'000).blocks, 1u);
  for (uint32_t radius = 0; radius < 140; ++radius) {
    for (const uint64_t count : {0u, 1u, 1000u, 4'000'000'000u}) {
      const JoinPlan plan = plan_join(128, radius, count);
      EXPECT_TRUE(plan.agree == 0 || plan.blocks == plan.radius + plan.agree);
      EXPECT_LE(plan.blocks, 128u);
    }
  }
}

}  // namespace
}  // namespace neardup
