#include "index/prefix/containment_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/hash.h"
#include "features/feature_set.h"
#include "index/prefix/feature_lookup.h"

namespace neardup {
namespace {

struct Collection {
  std::vector<RawVector<uint64_t>> sets;
  std::vector<uint32_t> sizes;
};

// Sets over a skewed vocabulary; many are parts of others, with a few other features.
Collection make_collection(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Collection made;
  RawVector<uint64_t> space;
  const auto feature = [&] { return mix64(1 + (random() % 60) * (random() % 60)); };
  for (size_t i = 0; i < count; ++i) {
    RawVector<uint64_t> set;
    if (i > 0 && random() % 2 == 0) {
      const uint64_t share = random() % 10;
      const bool edited = random() % 2 == 0;
      for (const uint64_t each : made.sets[random() % i]) {
        if (random() % 10 <= share) set.push_back(edited && random() % 15 == 0 ? feature() : each);
      }
    }
    const bool part = !set.empty() && random() % 2 == 0;
    while (!part && (set.empty() || random() % 60 != 0)) set.push_back(feature());
    make_feature_set(set, space);
    made.sizes.push_back(static_cast<uint32_t>(set.size()));
    made.sets.push_back(std::move(set));
  }
  return made;
}

ContainmentRule rule_of(uint32_t millionths, uint32_t min_features, uint32_t min_jaccard) {
  ContainmentRule rule{.threshold = Threshold::from_millionths(millionths), .min_features = min_features, .min_jaccard = {}};
  if (min_jaccard != 0) rule.min_jaccard = Threshold::from_millionths(min_jaccard);
  return rule;
}

TEST(ContainmentRules, AgreeWithTheFractions) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto t = static_cast<uint32_t>(1 + random() % 1'000'000);
    const auto j = static_cast<uint32_t>(random() % 2 * (1 + random() % 1'000'000));
    const ContainmentRule rule = rule_of(t, 1 + static_cast<uint32_t>(random() % 20), j);
    const auto a = static_cast<uint32_t>(1 + random() % 40);
    const auto b = static_cast<uint32_t>(1 + random() % 40);
    const auto common = static_cast<uint32_t>(random() % (std::min(a, b) + 1));
    const bool contained = a >= rule.min_features && uint64_t{common} * 1'000'000 >= uint64_t{a} * t &&
                           uint64_t{common} * 1'000'000 >= uint64_t{a + b - common} * j;
    EXPECT_EQ(rule.possible(a, b) && common >= rule.required(a, b), contained) << a << " " << b << " " << common;
  }
}

TEST(ContainmentIndexes, MissNoContainedSet) {
  size_t contained = 0;
  for (const uint32_t millionths : {1u, 100'000u, 500'000u, 666'667u, 800'000u, 950'000u, 1'000'000u}) {
    for (const uint32_t least : {1u, 12u}) {
      const Collection made = make_collection(millionths, 200);
      const ContainmentRule rule = rule_of(millionths, least, 0);
      FeatureCounts counts(100);  // a small table, so that features share counts
      for (const auto& set : made.sets) counts.add(set);
      const auto read = [&](uint32_t, uint32_t member) { return std::span<const uint64_t>(made.sets[member]); };
      ContainmentIndex index(rule, {}, made.sizes, counts, 2, read);
      const ContainmentIndex same(rule, {}, made.sizes, counts, 1, read);
      EXPECT_EQ(index.postings(), same.postings());
      ContainmentIndex::Probe probe;
      std::vector<uint32_t> found;
      std::vector<uint32_t> again;
      for (uint32_t b = 0; b < made.sets.size(); ++b) {
        if (b == 120) {  // half of the sets are gone
          for (uint32_t member = 0; member < 120; ++member) index.forget(member);
          index.compact();
        }
        const uint32_t begin = b % 3 == 0 ? b / 2 : 0;
        const uint32_t end = b % 5 == 0 ? 150 : 200;
        index.probe(made.sets[b], begin, end, probe, found);
        same.probe(made.sets[b], begin, end, probe, again);
        if (b < 120) {
          EXPECT_EQ(found, again);
        }
        EXPECT_TRUE(std::ranges::is_sorted(found));
        for (const uint32_t member : found) EXPECT_TRUE(member >= std::max(begin, b < 120 ? 0u : 120u) && member < end);
        for (uint32_t a = b < 120 ? begin : std::max(begin, 120u); a < end; ++a) {
          if (a == b || made.sizes[a] < least || count_common(made.sets[a], made.sets[b]) < rule.required(made.sizes[a], made.sizes[b]))
            continue;
          ++contained;
          EXPECT_TRUE(std::ranges::binary_search(found, a)) << a << " in " << b << " at " << millionths;
        }
      }
    }
    EXPECT_GT(std::exchange(contained, 0), 15u) << millionths;
  }
}

// A container that has the required part of the sample is found, whatever else is missing.
TEST(ContainmentIndexes, OfSamplesFindWhatHasEnoughOfThem) {
  for (const uint32_t millionths : {400'000u, 800'000u, 1'000'000u}) {
    const ContainmentRule rule = rule_of(millionths, 1, 0);
    const ContainmentSample sample{.features = 12, .common = millionths / 200'000};
    const Collection made = make_collection(millionths + 1, 200);
    FeatureCounts counts(1000);
    for (const auto& set : made.sets) counts.add(set);
    const ContainmentIndex index(rule, sample, made.sizes, counts, 2,
                                 [&](uint32_t, uint32_t member) { return std::span<const uint64_t>(made.sets[member]); });
    size_t features = 0;
    for (const auto& set : made.sets) features += std::min<size_t>(set.size(), sample.features);
    EXPECT_LE(index.postings(), features);
    ContainmentIndex::Probe probe;
    std::vector<uint32_t> found;
    size_t expected = 0;
    for (uint32_t b = 0; b < made.sets.size(); ++b) {
      index.probe(made.sets[b], 0, 200, probe, found);
      for (uint32_t a = 0; a < 200; ++a) {
        const auto drawn = std::span<const uint64_t>(made.sets[a]).first(sample.size_of(made.sizes[a]));
        if (a == b || count_common(drawn, made.sets[b]) < sample.required(made.sizes[a], rule.threshold)) continue;
        ++expected;
        EXPECT_TRUE(std::ranges::binary_search(found, a)) << a << " in " << b << " at " << millionths;
      }
    }
    EXPECT_GT(expected, 20u);
  }
}

TEST(ContainmentIndexes, HoldNothingOfSetsThatShareNothing) {
  std::vector<RawVector<uint64_t>> sets(50);
  std::vector<uint32_t> sizes;
  FeatureCounts counts(1 << 20);
  for (uint64_t i = 0; i < sets.size(); ++i) {
    for (uint64_t feature = 0; feature < 30; ++feature) sets[i].push_back((i * 30 + feature) << 44);
    counts.add(sets[i]);
    sizes.push_back(30);
  }
  const ContainmentIndex index(rule_of(800'000, 1, 0), {}, sizes, counts, 2,
                               [&](uint32_t, uint32_t member) { return std::span<const uint64_t>(sets[member]); });
  EXPECT_EQ(index.postings(), 0u);
  ContainmentIndex::Probe probe;
  std::vector<uint32_t> found{1};
  index.probe(sets[0], 0, 50, probe, found);
  EXPECT_TRUE(found.empty());
}

TEST(FeatureLookups, CountAsTheMerge) {
  std::mt19937_64 random(7);
  RawVector<uint64_t> space;
  FeatureLookup lookup;
  for (int i = 0; i < 2000; ++i) {
    // Small numbers too, which all share their top bits.
    const uint64_t range = random() % 2 == 0 ? 1 + random() % 300 : ~uint64_t{0};
    const auto make = [&](size_t count) {
      RawVector<uint64_t> set;
      for (size_t n = 0; n < count; ++n) set.push_back(random() % range);
      make_feature_set(set, space);
      return set;
    };
    const auto large = make(1 + random() % 300);
    auto small = make(1 + random() % 40);
    for (uint64_t& each : small) {
      if (random() % 2 == 0) each = large[random() % large.size()];
    }
    make_feature_set(small, space);
    const uint32_t common = count_common(small, large);
    lookup.assign(large);
    for (const uint64_t required : {uint64_t{0}, uint64_t{common}, common + uint64_t{1}, uint64_t{1000}}) {
      const uint32_t counted = lookup.count_common_at_least(small, required);
      if (common >= required) {
        EXPECT_EQ(counted, common);
      } else {
        EXPECT_LT(counted, required);
      }
    }
  }
}

}  // namespace
}  // namespace neardup
