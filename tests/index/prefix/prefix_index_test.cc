#include "index/prefix/prefix_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/hash.h"
#include "features/feature_set.h"

namespace neardup {
namespace {

struct Sets {
  std::vector<RawVector<uint64_t>> features;
  std::vector<uint32_t> sizes;
};

// Sets over a skewed vocabulary, many of them edited versions of one another.
Sets make_sets(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Sets sets;
  RawVector<uint64_t> space;
  const auto feature = [&] { return mix64(1 + (random() % 40) * (random() % 40)); };
  for (size_t i = 0; i < count; ++i) {
    RawVector<uint64_t> made;
    if (i > 0 && random() % 2 == 0) {
      made = sets.features[random() % i];
      for (uint64_t& each : made) {
        if (random() % 10 == 0) each = feature();
      }
    }
    const bool copy = !made.empty() && random() % 4 == 0;
    if (copy) made = sets.features[random() % i];
    while (!copy && (made.empty() || random() % 30 != 0)) made.push_back(feature());
    make_feature_set(made, space);
    sets.sizes.push_back(static_cast<uint32_t>(made.size()));
    sets.features.push_back(std::move(made));
  }
  return sets;
}

TEST(PrefixIndex, MissesNoPairAtAnyThreshold) {
  for (const uint32_t millionths : {1u, 100'000u, 500'000u, 666'667u, 800'000u, 950'000u, 1'000'000u}) {
    const Threshold threshold = Threshold::from_millionths(millionths);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const Sets sets = make_sets(seed, 200);
      FeatureFrequency frequency(100);  // a small table, so that features share counts
      for (const auto& features : sets.features) frequency.add(features);
      PrefixIndex index(threshold, sets.sizes);
      PrefixIndex::Probe probe(sets.features.size());
      std::vector<uint64_t> prefix;
      std::vector<uint32_t> candidates;
      size_t matches = 0;
      for (uint32_t i = 0; i < sets.features.size(); ++i) {
        frequency.prefix(sets.features[i], threshold, prefix);
        EXPECT_EQ(prefix.size(), prefix_length(sets.features[i].size(), threshold));
        index.probe(i, prefix, i, probe, candidates);
        EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end()));
        for (uint32_t j = 0; j < i; ++j) {
          const Overlap overlap{count_common(sets.features[i], sets.features[j]), sets.sizes[i], sets.sizes[j]};
          if (!threshold.met_by(overlap)) continue;
          ++matches;
          EXPECT_TRUE(std::binary_search(candidates.begin(), candidates.end(), j)) << i << ", " << j;
        }
        index.reserve(prefix.size());
        index.insert(i, prefix);
      }
      EXPECT_GT(matches, 0u);
    }
  }
}

TEST(PrefixIndex, RollBackForgetsWhatCameAfterTheMark) {
  const Sets sets = make_sets(9, 100);
  const Threshold threshold = Threshold::from_millionths(400'000);
  FeatureFrequency frequency(1000);
  PrefixIndex once(threshold, sets.sizes);
  PrefixIndex twice(threshold, sets.sizes);
  PrefixIndex::Probe probe(sets.features.size());
  std::vector<uint64_t> prefix;
  for (uint32_t i = 0; i < 100; ++i) {
    frequency.prefix(sets.features[i], threshold, prefix);
    once.reserve(prefix.size());
    twice.reserve(prefix.size() * 2);
    if (i % 3 == 0) once.insert(i, prefix);
    const size_t mark = twice.mark();
    twice.insert(i, prefix);
    if (i % 3 != 0) twice.roll_back(mark);
  }
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  for (uint32_t i = 0; i < 100; ++i) {
    frequency.prefix(sets.features[i], threshold, prefix);
    once.probe(i, prefix, 100, probe, a);
    twice.probe(i, prefix, 100, probe, b);
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace neardup
