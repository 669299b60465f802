#include "online/hot_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "features/feature_set.h"

namespace neardup {
namespace {

std::vector<uint64_t> template_page(std::mt19937_64& random, size_t own) {
  std::set<uint64_t> features;
  for (uint64_t i = 1; i <= 30; ++i) features.insert(i * 0x9E3779B97F4A7C15u);
  while (features.size() < 30 + own) features.insert(random());
  return {features.begin(), features.end()};
}

// The twin: every document that reaches the threshold must be among the found ones.
TEST(HotIndexes, MissNone) {
  const Threshold threshold = Threshold::from_millionths(800'000);
  HotIndex index(threshold);
  std::mt19937_64 random(1);
  std::vector<std::vector<uint64_t>> documents;
  HotIndex::Probe probe;
  uint64_t found_in_all = 0;
  for (uint64_t sequence = 0; sequence < 1500; ++sequence) {
    std::vector<uint64_t> features = template_page(random, 5 + random() % 20);
    if (!documents.empty() && random() % 3 == 0) {
      features = documents[random() % documents.size()];
      for (size_t i = random() % 6; i > 0; --i) features[random() % features.size()] = random();
      std::ranges::sort(features);
    }
    std::vector<uint64_t> found;
    index.find(features, probe, found);
    found_in_all += found.size();
    std::ranges::sort(found);
    for (uint64_t other = 0; other < documents.size(); ++other) {
      const Overlap overlap{.common = count_common(features, documents[other]),
                            .size_a = static_cast<uint32_t>(features.size()),
                            .size_b = static_cast<uint32_t>(documents[other].size())};
      if (threshold.met_by(overlap)) {
        ASSERT_TRUE(std::ranges::binary_search(found, other)) << sequence << " " << other;
      }
    }
    index.insert(sequence, features);
    index.insert(sequence, features);  // changes nothing
    documents.push_back(std::move(features));
  }
  EXPECT_EQ(index.size(), 1500u);
  EXPECT_LT(found_in_all, 1500u * 100);  // of 750 before it on average: the template alone finds nobody
}

TEST(HotIndexes, ForgetDocuments) {
  HotIndex index(Threshold::from_millionths(900'000));
  std::mt19937_64 random(2);
  std::vector<std::vector<uint64_t>> documents;
  for (uint64_t sequence = 0; sequence < 200; ++sequence) {
    documents.push_back(template_page(random, 40));
    index.insert(sequence, documents.back());
  }
  index.remove_if([](uint64_t sequence) { return sequence % 2 == 0; });
  EXPECT_EQ(index.size(), 100u);
  HotIndex::Probe probe;
  for (uint64_t sequence = 0; sequence < 200; ++sequence) {
    std::vector<uint64_t> found;
    index.find(documents[sequence], probe, found);
    EXPECT_EQ(found, sequence % 2 == 0 ? std::vector<uint64_t>{} : std::vector<uint64_t>{sequence});
    EXPECT_EQ(index.features(sequence).has_value(), sequence % 2 != 0);
  }
}

}  // namespace
}  // namespace neardup
