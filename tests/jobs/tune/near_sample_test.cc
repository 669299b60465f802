#include "jobs/tune/near_sample.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"

namespace neardup {
namespace {

struct Offered {
  uint64_t key;
  uint64_t exact;
  std::string text;
};

std::vector<NearSample::Document> sampled(const std::vector<Offered>& offered, const NearSample::Limits& limits, double* share = nullptr) {
  NearSample sample(limits);
  uint64_t row = 0;
  for (const Offered& one : offered) sample.add(one.key, one.exact, {0, ++row}, "", one.text);
  if (share != nullptr) *share = sample.share();
  return sample.take();
}

// The definition: the longest prefix of the keys whose different texts fit, the first key in any case.
std::map<uint64_t, uint64_t> sample_reference(const std::vector<Offered>& offered, const NearSample::Limits& limits) {
  std::map<uint64_t, std::map<uint64_t, uint64_t>> groups;
  std::map<uint64_t, size_t> sizes;
  for (const Offered& one : offered) {
    ++groups[one.key][one.exact];
    sizes[one.exact] = one.text.size();
  }
  std::map<uint64_t, uint64_t> copies;
  size_t texts = 0;
  uint64_t bytes = 0;
  for (const auto& [key, group] : groups) {
    texts += group.size();
    for (const auto& [exact, count] : group) bytes += sizes[exact];
    if (!copies.empty() && (texts > limits.texts || bytes > limits.bytes)) break;
    copies.insert(group.begin(), group.end());
  }
  return copies;
}

RC_GTEST_PROP(NearSampleTest, HasAllDocumentsOfTheSmallestKeys, ()) {
  const NearSample::Limits limits{
      .texts = *rc::gen::inRange<size_t>(1, 20), .bytes = *rc::gen::inRange<uint64_t>(1, 200), .texts_per_key = 100};
  std::vector<Offered> offered;
  for (const auto& [key, exact] : *rc::gen::container<std::vector<std::pair<uint8_t, uint8_t>>>(
           rc::gen::pair(rc::gen::inRange<uint8_t>(0, 12), rc::gen::inRange<uint8_t>(0, 8)))) {
    // An exact copy has the same key, as it is made of the text.
    offered.push_back({key, uint64_t{key} * 16 + exact, std::string(exact * 3u, 'x')});
  }
  const auto expected = sample_reference(offered, limits);
  std::map<uint64_t, uint64_t> found;
  for (const NearSample::Document& document : sampled(offered, limits)) found[document.exact] = document.copies;
  RC_ASSERT(found == expected);
}

TEST(NearSampleTest, NamesTheFirstCopyAndCountsTheOthersBySource) {
  NearSample sample({.texts = 10, .bytes = 1000, .texts_per_key = 10});
  sample.add(1, 7, {0, 5}, "first", "text");
  sample.add(1, 7, {0, 9}, "second", "text");
  sample.add(1, 7, {3, 1}, "third", "text");
  EXPECT_TRUE(sample.complete());
  EXPECT_EQ(sample.share(), 1);
  const auto documents = sample.take();
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].id, "first");
  EXPECT_EQ(documents[0].copies, 3u);
  EXPECT_EQ(documents[0].others, (std::vector<std::pair<uint32_t, uint64_t>>{{0, 1}, {3, 1}}));
}

TEST(NearSampleTest, OneKeyWithTooManyTextsKeepsThoseWithTheSmallestHashes) {
  std::vector<Offered> offered;
  for (uint64_t i = 0; i < 100; ++i) offered.push_back({1, (i * 37) % 100, "t" + std::to_string(i)});
  const auto documents = sampled(offered, {.texts = 1000, .bytes = 10'000, .texts_per_key = 10});
  std::set<uint64_t> hashes;
  for (const NearSample::Document& document : documents) hashes.insert(document.exact);
  EXPECT_EQ(hashes, (std::set<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// Unbiased: the documents of the sample over its share estimate the number of all documents; likewise the documents of one kind.
TEST(NearSampleTest, SharesOfTheSampleAreSharesOfTheCorpus) {
  double estimated = 0;
  double marked_share = 0;
  constexpr int kTrials = 200;
  constexpr uint64_t kDocuments = 2000;
  for (uint64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<Offered> offered;
    // Clusters of 1 to 5 documents with one key; every third cluster is marked.
    for (uint64_t document = 0, cluster = 0; document < kDocuments; ++cluster) {
      const uint64_t key = splitmix64(trial, cluster);
      for (uint64_t i = 0; i <= cluster % 5 && document < kDocuments; ++i) {
        offered.push_back({key, splitmix64(trial + 1000, document), cluster % 3 == 0 ? "marked" : "plain"});
        ++document;
      }
    }
    double share = 0;
    const auto documents = sampled(offered, {.texts = 200, .bytes = 1 << 20, .texts_per_key = 100}, &share);
    estimated += static_cast<double>(documents.size()) / share / kTrials;
    marked_share += static_cast<double>(std::ranges::count(documents, "marked", &NearSample::Document::text)) /
                    static_cast<double>(documents.size()) / kTrials;
  }
  EXPECT_NEAR(estimated / kDocuments, 1, 0.03);
  EXPECT_NEAR(marked_share, 1.0 / 3, 0.02);
}

}  // namespace
}  // namespace neardup
