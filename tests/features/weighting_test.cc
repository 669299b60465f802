#include "features/weighting.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "features/frequency_tables.h"

namespace neardup {
namespace {

using testing::table_of;
using Features = std::vector<WeightedFeature>;

// The slow twin: counts in a std::map, a full stable sort, 128 bits where 64 might not do.
Features slow(const std::vector<uint64_t>& hashes, WeightingKind kind, size_t top_k, const DocumentFrequencyTable* table) {
  std::map<uint64_t, uint64_t> counts;
  std::vector<uint64_t> order;
  for (const uint64_t hash : hashes) {
    if (counts[hash]++ == 0) order.push_back(hash);
  }
  Features all;
  for (const uint64_t hash : order) {
    uint64_t weight = 1;
    if (kind == WeightingKind::kTf) weight = counts[hash];
    if (kind == WeightingKind::kTfIdf) weight = counts[hash] * static_cast<uint64_t>(table->idf(hash));
    all.push_back({hash, static_cast<int32_t>(std::min<uint64_t>(weight, 2147483647))});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  if (top_k > 0 && all.size() > top_k) all.resize(top_k);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.hash < b.hash; });
  return all;
}

RC_GTEST_PROP(WeightingLaw, fast_is_slow, ()) {
  Weighter::Scratch scratch;
  Features fast;
  const auto table = table_of({{"a", 3}, {"b", 1}, {"c", 9}, {"d", 3}}, 9);
  for (int text = 0; text < 4; ++text) {  // one after the other, with the same scratch
    const auto letters = *rc::gen::container<std::vector<uint8_t>>(rc::gen::inRange<uint8_t>(0, 12));
    std::vector<uint64_t> hashes;
    for (const uint8_t letter : letters) hashes.push_back(hash64(std::string(1, static_cast<char>('a' + letter))));
    const auto top_k = *rc::gen::inRange<uint32_t>(0, 10);
    for (const WeightingKind kind : {WeightingKind::kNone, WeightingKind::kTf, WeightingKind::kTfIdf}) {
      Weighter(kind, top_k, &table).weigh(hashes, scratch, fast);
      RC_ASSERT(fast == slow(hashes, kind, top_k, &table));
    }
  }
}

TEST(Weighting, LongTextsThenShortOnes) {
  Weighter::Scratch scratch;
  Features fast;
  for (const size_t count : {100'000u, 3u, 0u, 5000u, 1u}) {
    std::vector<uint64_t> hashes;
    for (size_t i = 0; i < count; ++i) hashes.push_back(splitmix64(1, i % (count / 2 + 1)) & (count == 5000 ? 0xFFFF : ~uint64_t{0}));
    for (const uint32_t top_k : {0u, 1u, 100u}) {
      Weighter(WeightingKind::kTf, top_k).weigh(hashes, scratch, fast);
      EXPECT_EQ(fast, slow(hashes, WeightingKind::kTf, top_k, nullptr));
    }
  }
}

TEST(Weighting, AllFormsOfATextAgree) {
  Weighter::Scratch scratch;
  const Weighter weighter(WeightingKind::kTf, 2);
  TokenBuffer tokens;
  tokens.clear(1);
  for (const char* token : {"rose", "is", "a", "rose", "a"}) tokens.append(token);
  Features expected{{hash64("rose"), 2}, {hash64("a"), 2}};
  std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.hash < b.hash; });
  Features made;
  weighter.weigh(tokens, scratch, made);
  EXPECT_EQ(made, expected);
  const std::vector<CountedToken> counted{{"rose", 1}, {"is", 1}, {"none", 0}, {"a", 2}, {"rose", 1}};
  weighter.weigh(counted, scratch, made);
  EXPECT_EQ(made, expected);
}

TEST(Weighting, TiesGoToTheFirstInTheText) {
  Weighter::Scratch scratch;
  Features made;
  const std::vector<CountedToken> counted{{"late", 1}, {"twice", 2}, {"later", 1}, {"last", 1}};
  Weighter(WeightingKind::kTf, 2).weigh(counted, scratch, made);
  Features expected{{hash64("late"), 1}, {hash64("twice"), 2}};
  std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.hash < b.hash; });
  EXPECT_EQ(made, expected);
}

TEST(Weighting, IdfTimesCount) {
  const auto table = table_of({{"seen", 1}}, 9);
  Weighter::Scratch scratch;
  Features made;
  const auto weight = [&](std::string_view token, uint32_t count) {
    Weighter(WeightingKind::kTfIdf, 0, &table).weigh(std::vector<CountedToken>{{token, count}}, scratch, made);
    return made.at(0).weight;
  };
  EXPECT_EQ(weight("seen", 1), 171012);  // golden values of idf_test.cc
  EXPECT_EQ(weight("seen", 3), 513036);
  EXPECT_EQ(weight("unseen", 1), 216438);
  EXPECT_EQ(weight("unseen", 9921), 2147281398);
  EXPECT_EQ(weight("unseen", 9922), kMaxWeight) << "2147497836 is too much";
  EXPECT_EQ(weight("unseen", 0xFFFFFFFF), kMaxWeight);
  Weighter(WeightingKind::kTf).weigh(std::vector<CountedToken>{{"x", 0xFFFFFFFF}, {"x", 7}}, scratch, made);
  EXPECT_EQ(made.at(0).weight, kMaxWeight);
}

// Values worked out by hand, and with Python's fractions.
TEST(Weighting, FixedWeights) {
  EXPECT_EQ(fixed_weight(1.0), 65536);
  EXPECT_EQ(fixed_weight(0.1), 6554);
  EXPECT_EQ(fixed_weight(1.0 / 131072), 1) << "a half goes up";
  EXPECT_EQ(fixed_weight(std::nextafter(1.0 / 131072, 0)), 0) << "adding 1/2 as a double would make it 1";
  EXPECT_EQ(fixed_weight(11.739204307083542), 769340);
  EXPECT_EQ(fixed_weight(32767.999), 2147483582);
  EXPECT_EQ(fixed_weight(32768), kMaxWeight);
  EXPECT_EQ(fixed_weight(1e300), kMaxWeight);
  EXPECT_EQ(fixed_weight(INFINITY), kMaxWeight);
  EXPECT_EQ(fixed_weight(-1), 0);
  EXPECT_EQ(fixed_weight(0), 0);
  EXPECT_EQ(fixed_weight(NAN), 0);
}

TEST(Weighting, Keywords) {
  Features made{{1, 1}};
  const std::vector<Keyword> keywords{{"b", 0.5}, {"zero", 1e-9}, {"a", 2}, {"b", 0.25}, {"max", 30000}, {"max", 30000}, {"nan", NAN}};
  weigh_keywords(keywords, made);
  Features expected{{hash64("b"), 49152}, {hash64("a"), 131072}, {hash64("max"), kMaxWeight}};
  std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.hash < b.hash; });
  EXPECT_EQ(made, expected);
}

}  // namespace
}  // namespace neardup
