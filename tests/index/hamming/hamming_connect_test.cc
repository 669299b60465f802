// The connections of an index against those of all pairs, found one after the other.
#include "index/hamming/hamming_connect.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>

#include "dedup/match/candidates/union_find.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_plan.h"
#include "support/codes.h"

namespace neardup {
namespace {

using testing::CodePairs;
using testing::flat_pairs;
using testing::make_codes;

// label[row]: the least row that a chain of pairs connects it with.
std::vector<uint32_t> labels(const CodePairs& pairs, size_t rows) {
  UnionFind sets(static_cast<uint32_t>(rows));
  for (const auto& [pair, distance] : pairs) sets.unite(pair.first, pair.second);
  std::vector<uint32_t> made(rows);
  for (uint32_t row = 0; row < rows; ++row) made[row] = sets.root(row);
  return made;
}

template <typename Code>
HammingIndex<Code> index_of(const std::vector<Code>& codes, uint32_t radius) {
  HammingPlan plan = plan_hamming(hamming_statistics(std::span<const Code>(codes)), radius, {.use = HammingUse::kSelfJoin});
  return HammingIndex<Code>::build(codes, {}, {.radius = radius, .plan = std::move(plan), .threads = 2});
}

// Every pair comes once, smaller row first.
template <typename Code>
CodePairs connections(const HammingIndex<Code>& index, uint32_t radius, uint32_t threads) {
  CodePairs pairs;
  std::mutex mutex;
  hamming_connect(index, radius, threads, [&](std::span<const HammingPair> some) {
    const std::lock_guard lock(mutex);
    for (const HammingPair& pair : some) {
      EXPECT_LT(pair.a, pair.b);
      const std::pair rows(static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b));
      EXPECT_TRUE(pairs.emplace(rows, pair.distance).second) << pair.a << ", " << pair.b << " came twice";
    }
  });
  return pairs;
}

// Of all pairs those whose rows are the first of their codes, and of equal codes those with the first row.
template <typename Code>
CodePairs expected_connections(const std::vector<Code>& codes, const CodePairs& all) {
  std::vector<uint8_t> first(codes.size(), 1);
  for (const auto& [pair, distance] : all) {
    if (distance == 0) first[pair.second] = 0;
  }
  CodePairs pairs;
  for (const auto& [pair, distance] : all) {
    if (first[pair.first] != 0 && (distance == 0 || first[pair.second] != 0)) pairs[pair] = distance;
  }
  return pairs;
}

template <typename Code>
class HammingConnect : public ::testing::Test {
 protected:
  void check(const std::vector<Code>& codes, const HammingIndex<Code>& index, uint32_t radius) {
    const CodePairs all = flat_pairs<Code>(codes, radius);
    const CodePairs expected = expected_connections(codes, all);
    for (const uint32_t threads : {1u, 3u}) {
      const CodePairs got = connections(index, radius, threads);
      ASSERT_EQ(got, expected) << "radius " << radius << ", " << index.plan().blocks.size() << " tables";
      ASSERT_EQ(labels(got, codes.size()), labels(all, codes.size()));
    }
  }
};
using ConnectCodes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingConnect, ConnectCodes);

TYPED_TEST(HammingConnect, EqualsTheFlatTwinAtEveryRadius) {
  for (const uint32_t radius : {0u, 1u, 2u, 3u, 4u, 7u, 20u}) {
    const auto codes = make_codes<TypeParam>(radius, 600, radius + 2);
    this->check(codes, index_of(codes, radius), radius);
  }
  for (const uint32_t radius : {TypeParam::kBits - 1, TypeParam::kBits}) {
    const auto codes = make_codes<TypeParam>(radius, 60, 9);
    this->check(codes, index_of(codes, radius), radius);
  }
  for (size_t count = 0; count < 5; ++count) {
    const auto codes = make_codes<TypeParam>(1, count, 2);
    this->check(codes, index_of(codes, 3), 3);
  }
}

TYPED_TEST(HammingConnect, EveryPlanAndSmallerRadii) {
  const auto codes = make_codes<TypeParam>(11, 1500, 4);
  const std::vector<std::vector<HammingBlock>> plans = {
      {}, {{3, 14, 3}}, {{0, 9, 1}, {20, 11, 1}}, {{1, 8, 0}, {9, 8, 0}, {20, 5, 0}, {40, 7, 0}}};
  for (const auto& blocks : plans) {
    const HammingPlan plan{.bits = TypeParam::kBits, .radius = 3, .order = {}, .blocks = blocks};
    const auto index = HammingIndex<TypeParam>::build(codes, {}, {.radius = 3, .plan = plan, .threads = 2});
    for (uint32_t radius = 0; radius <= 3; ++radius) this->check(codes, index, radius);
  }
}

TYPED_TEST(HammingConnect, GivenIdsWithoutOrder) {
  const auto codes = make_codes<TypeParam>(12, 400, 4);
  std::vector<uint64_t> ids;
  for (uint64_t row = 0; row < codes.size(); ++row) ids.push_back((row * 7919) % 1009);  // all different
  const auto index = HammingIndex<TypeParam>::build(codes, ids, {.radius = 3, .threads = 1});
  std::vector<TypeParam> by_id(1009);
  std::vector<uint8_t> there(1009, 0);
  for (size_t row = 0; row < codes.size(); ++row) {
    by_id[ids[row]] = codes[row];
    there[ids[row]] = 1;
  }
  CodePairs all;
  for (const auto& [pair, distance] : flat_pairs<TypeParam>(by_id, 3)) {
    if (there[pair.first] != 0 && there[pair.second] != 0) all[pair] = distance;
  }
  EXPECT_EQ(connections(index, 3, 2), expected_connections(by_id, all));
  EXPECT_GT(all.size(), 100u);
}

TYPED_TEST(HammingConnect, ManyCodesAndLittleMemory) {
  const auto codes = make_codes<TypeParam>(6, 40'000, 4);
  const auto index = index_of(codes, 3);
  EXPECT_FALSE(index.plan().blocks.empty());
  const CodePairs expected = connections(index, 3, 2);
  EXPECT_GT(expected.size(), 10'000u);
  const auto swept = HammingIndex<TypeParam>::build(codes, {}, {.radius = 3, .threads = 3, .memory = 1 << 16});
  EXPECT_EQ(connections(swept, 3, 3), expected);
  // The labels are those of all pairs, found by another way.
  CodePairs all;
  index.self_join(3, 2, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& pair : pairs) all[{static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b)}] = pair.distance;
  });
  EXPECT_EQ(labels(expected, codes.size()), labels(all, codes.size()));
  EXPECT_EQ(expected_connections(codes, all), expected);
}

TYPED_TEST(HammingConnect, AllNearOneAnother) {
  // 3,000 codes with all pairs within the radius: many more than may wait. They share a bucket, and all the buckets of a block.
  std::vector<TypeParam> codes(3000);
  for (size_t i = 0; i < codes.size(); ++i) codes[i].low = i;
  const uint64_t all = codes.size() * (codes.size() - 1) / 2;
  for (const HammingBlock& block : {HammingBlock{30, 16, 13}, HammingBlock{0, 13, 13}, HammingBlock{4, 13, 13}, HammingBlock{}}) {
    HammingPlan plan{.bits = TypeParam::kBits, .radius = 13, .order = {}, .blocks = {block}};
    if (block.width == 0) plan.blocks.clear();
    const auto index = HammingIndex<TypeParam>::build(codes, {}, {.radius = 13, .plan = plan, .threads = 2});
    std::atomic<uint64_t> count = 0;
    std::atomic<uint64_t> rows = 0;
    hamming_connect(index, 13, 2, [&](std::span<const HammingPair> pairs) {
      EXPECT_LE(pairs.size(), 10'000u);
      count += pairs.size();
      uint64_t sum = 0;
      for (const HammingPair& pair : pairs) sum += pair.a + pair.b;
      rows += sum;
    });
    EXPECT_EQ(count, all) << block.begin;
    EXPECT_EQ(rows, all * (codes.size() - 1)) << block.begin;  // every row as often as any other
  }
}

TYPED_TEST(HammingConnect, EqualCodesCostNoSquare) {
  // A million rows of two codes within the radius: as pairs they would be 5 * 10^11.
  std::mt19937_64 random(8);
  std::vector<TypeParam> codes(1'000'000);
  testing::make_random(random, codes[0]);
  for (size_t i = 1; i < codes.size(); ++i) {
    codes[i] = codes[0];
    if (i % 2 == 1) testing::flip(codes[i], 17);
  }
  std::atomic<uint64_t> calls = 0;
  hamming_connect(index_of(codes, 3), 3, 2, [&](std::span<const HammingPair> pairs) { calls += pairs.size(); });
  EXPECT_EQ(calls, 999'999u);
}

TYPED_TEST(HammingConnect, SkewedCodesEndInSeconds) {
  // 50,000 distinct codes that share all but 32 bits.
  std::mt19937_64 random(9);
  std::vector<TypeParam> codes(50'000);
  for (auto& code : codes) {
    testing::make_random(random, code);
    code.low >>= 32;
    if constexpr (TypeParam::kBits == 128) code.high = 5;
  }
  codes.back() = codes.front();
  testing::flip(codes.back(), 0);
  for (const bool planned : {true, false}) {  // one plan that knows of the skew, one that does not
    const HammingPlan blind = plan_hamming(HammingStatistics::uniform(TypeParam::kBits, codes.size()), 3, {});
    const auto index = planned ? index_of(codes, 3) : HammingIndex<TypeParam>::build(codes, {}, {.radius = 3, .plan = blind, .threads = 2});
    const CodePairs pairs = connections(index, 3, 2);
    EXPECT_EQ(pairs.count({0, 49'999}), 1u);
    for (const auto& [pair, distance] : pairs) EXPECT_EQ(distance, hamming_distance(codes[pair.first], codes[pair.second]));
    // 1.25 * 10^9 pairs, of which a share of (1 + 32 + 496 + 4960) / 2^32 is within the radius: 1,597 expected.
    EXPECT_GT(pairs.size(), 1'400u);
    EXPECT_LT(pairs.size(), 1'800u);
  }
}

TYPED_TEST(HammingConnect, RefusesARadiusBeyondThePlan) {
  const auto index = index_of(make_codes<TypeParam>(1, 10, 2), 2);
  try {
    hamming_connect(index, 3, 1, [](std::span<const HammingPair>) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_STREQ(error.what(), "distance 3 exceeds 2, the maximum of the index");
  }
}

}  // namespace
}  // namespace neardup
