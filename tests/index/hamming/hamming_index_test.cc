#include "neardup/hamming_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/codes.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

using testing::make_codes;

// The flat twin: looks at every code.
template <typename Code>
std::vector<HammingHit> flat_hits(std::span<const Code> codes, std::span<const uint64_t> ids, Code query, uint32_t radius) {
  std::vector<HammingHit> hits;
  for (size_t row = 0; row < codes.size(); ++row) {
    const uint32_t distance = hamming_distance(codes[row], query);
    if (distance <= radius) hits.push_back({distance, ids.empty() ? row : ids[row]});
  }
  std::ranges::sort(hits);
  return hits;
}

template <typename Code>
class HammingIndexTest : public ::testing::Test {
 protected:
  void check(const std::vector<Code>& codes, std::span<const uint64_t> ids, const HammingBuildOptions& options) {
    const auto index = HammingIndex<Code>::build(codes, ids, options);
    ASSERT_EQ(index.size(), codes.size());
    std::mt19937_64 random(99);
    std::vector<Code> queries;
    for (size_t q = 0; q < 60; ++q) {
      Code query;
      testing::make_random(random, query);
      if (q % 2 == 0 && !codes.empty()) {
        query = codes[random() % codes.size()];
        const auto flips = static_cast<uint32_t>(random() % (options.radius + 2));
        const auto first = static_cast<uint32_t>(random());
        for (uint32_t f = 0; f < flips; ++f) testing::flip(query, first + f * 5);
      }
      queries.push_back(query);
    }
    HammingScratch scratch;
    std::vector<HammingHit> hits;
    for (uint32_t radius = 0; radius <= options.radius; ++radius) {
      for (const Code& query : queries) {
        const auto expected = flat_hits<Code>(codes, ids, query, radius);
        index.query(query, radius, scratch, hits);
        ASSERT_EQ(hits, expected) << "radius " << radius;
        ASSERT_EQ(index.count(query, radius, scratch), expected.size());
        index.nearest(query, 3, radius, scratch, hits);
        ASSERT_TRUE(std::ranges::equal(hits, std::span(expected).first(std::min<size_t>(3, expected.size()))));
      }
      size_t next = 0;
      index.query_all(queries, radius, 3, [&](size_t query, std::span<const HammingHit> found) {
        ASSERT_EQ(query, next++);
        ASSERT_TRUE(std::ranges::equal(found, flat_hits<Code>(codes, ids, queries[query], radius)));
      });
      ASSERT_EQ(next, queries.size());
    }
  }

  void check_joins(const std::vector<Code>& codes, std::span<const uint64_t> ids, const HammingBuildOptions& options) {
    const auto index = HammingIndex<Code>::build(codes, ids, options);
    for (uint32_t radius = 0; radius <= options.radius; ++radius) {
      std::vector<HammingPair> expected;
      for (const auto& [pair, distance] : testing::flat_pairs<Code>(codes, radius)) expected.push_back({pair.first, pair.second, distance});
      std::vector<HammingPair> first;
      for (const uint32_t threads : {1u, 3u}) {
        std::vector<HammingPair> pairs;
        index.self_join(radius, threads, [&](std::span<const HammingPair> some) { pairs.insert(pairs.end(), some.begin(), some.end()); });
        ASSERT_EQ(index.count_pairs(radius, threads), expected.size());
        if (threads == 1) first = pairs;
        ASSERT_EQ(pairs, first) << "the order depends on the threads";
        std::ranges::sort(pairs);
        ASSERT_EQ(pairs.size(), expected.size());
        ASSERT_EQ(pairs, expected) << "radius " << radius;
      }
      const std::span<const Code> all(codes);
      const auto some = HammingIndex<Code>::build(all.first(codes.size() / 3), {}, {.radius = 1});
      std::vector<HammingPair> across;
      for (uint32_t b = 0; b < codes.size() / 3; ++b) {
        for (uint32_t a = 0; a < codes.size(); ++a) {
          const uint32_t distance = hamming_distance(codes[a], codes[b]);
          if (distance <= radius) across.push_back({a, b, distance});
        }
      }
      std::ranges::sort(across);
      std::vector<HammingPair> joined;
      index.join(some, radius, 2, [&](std::span<const HammingPair> found) { joined.insert(joined.end(), found.begin(), found.end()); });
      std::ranges::sort(joined);
      ASSERT_EQ(joined, across) << "radius " << radius;
    }
  }
};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingIndexTest, Codes);

TYPED_TEST(HammingIndexTest, EqualsTheFlatTwin) {
  for (const uint32_t radius : {0u, 1u, 2u, 3u, 5u, 8u}) {
    this->check(make_codes<TypeParam>(radius, 6000, radius + 2), {}, {.radius = radius});
  }
  for (size_t count = 0; count < 5; ++count) this->check(make_codes<TypeParam>(1, count, 2), {}, {.radius = 3});
}

TYPED_TEST(HammingIndexTest, JoinsEqualTheFlatTwin) {
  for (const uint32_t radius : {0u, 1u, 3u, 6u}) {
    this->check_joins(make_codes<TypeParam>(radius + 10, 5000, radius + 2), {}, {.radius = radius});
    this->check_joins(make_codes<TypeParam>(radius + 10, 300, radius + 2), {}, {.radius = radius});
  }
}

// Many chunks, met with 0 to 3 flips, in tables with few codes a bucket and with many, some of them far more than the others; against
// queries, which equal the flat twin. Both agree in nothing but the plan.
TYPED_TEST(HammingIndexTest, JoinsOfManyChunksEqualQueries) {
  struct Case {
    std::vector<HammingBlock> blocks;
    size_t crowded;  // codes that share most bits of a block
  };
  const std::vector<Case> cases = {{{{0, 18, 1}, {20, 16, 1}}, 0},
                                   {{{0, 16, 3}}, 0},
                                   {{{10, 14, 2}, {50, 12, 0}}, 0},
                                   {{{3, 13, 0}, {16, 14, 1}, {40, 18, 0}}, 0},
                                   {{{1, 9, 3}}, 0},
                                   {{{0, 16, 2}, {30, 18, 0}}, 3000},
                                   {{{0, 17, 1}, {20, 17, 1}}, 10'000},
                                   {{{0, 5, 0}, {20, 17, 2}}, 1000}};
  uint64_t seed = 20;
  for (const Case& each : cases) {
    std::vector<TypeParam> codes = make_codes<TypeParam>(++seed, testing::unless_sanitized(70'000, 35'000), 5);
    for (size_t i = 0; i < each.crowded; ++i) codes[i].low = (codes[i].low & ~uint64_t{0x3FF7F}) | (i % 3 == 0 ? 0x101 : 0x201);
    const HammingPlan plan{.bits = TypeParam::kBits, .radius = 3, .blocks = each.blocks};
    const auto index = HammingIndex<TypeParam>::build(codes, {}, {.radius = 3, .plan = plan});
    std::vector<HammingPair> expected;
    index.query_all(codes, 3, 2, [&](size_t query, std::span<const HammingHit> hits) {
      for (const HammingHit& hit : hits) {
        if (hit.id > query) expected.push_back({query, hit.id, hit.distance});
      }
    });
    std::ranges::sort(expected);
    std::vector<HammingPair> first;
    for (const uint32_t threads : {1u, 2u}) {
      std::vector<HammingPair> pairs;
      index.self_join(3, threads, [&](std::span<const HammingPair> some) { pairs.insert(pairs.end(), some.begin(), some.end()); });
      if (threads == 1) first = pairs;
      ASSERT_EQ(pairs, first) << "the order depends on the threads";
      std::ranges::sort(pairs);
      ASSERT_EQ(pairs.size(), expected.size()) << "case " << seed;
      ASSERT_EQ(pairs, expected) << "case " << seed;
    }
    ASSERT_EQ(index.count_pairs(3, 2), expected.size());
  }
}

TYPED_TEST(HammingIndexTest, NestsHotBuckets) {
  std::vector<TypeParam> codes = make_codes<TypeParam>(5, 20'000, 5);
  for (size_t i = 0; i < 9000; ++i) codes[i].low = codes[i].low >> 32 | uint64_t{0xABCD1234} << 32;
  this->check(codes, {}, {.radius = 3});
  codes.resize(12'000);
  this->check_joins(codes, {}, {.radius = 3});
}

}  // namespace
}  // namespace neardup
