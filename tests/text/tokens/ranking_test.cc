// Ranking against a stable sort of everything.
#include "text/tokens/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace neardup {
namespace {

void check(Ranking& ranking, const std::vector<double>& weights, const std::vector<bool>& wanted, size_t top) {
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < weights.size(); ++i) {
    if (wanted[i]) expected.push_back(i);
  }
  std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return weights[a] > weights[b]; });
  if (top != 0 && top < expected.size()) expected.resize(top);
  ranking.clear(weights.size());
  for (uint32_t i = 0; i < weights.size(); ++i) ranking.offer(weights[i], i, wanted[i]);
  std::vector<uint32_t> ours;
  for (const Ranking::Item item : ranking.take(top)) ours.push_back(item.index);
  ASSERT_EQ(ours, expected) << weights.size() << " weights, top " << top;
}

TEST(Ranking, is_a_stable_sort) {
  std::mt19937_64 random(1);
  Ranking ranking;  // its buffers are used again and again
  for (int n = 0; n < 3000; ++n) {
    const size_t size = random() % (n % 50 == 0 ? 5000 : 60);
    const uint64_t distinct = 1 + random() % 40;
    const int kind = static_cast<int>(random() % 4);
    std::vector<double> weights(size);
    std::vector<bool> wanted(size);
    for (size_t i = 0; i < size; ++i) {
      const auto pick = static_cast<double>(random() % distinct);
      if (kind == 0) weights[i] = pick;                                                                // many ties
      if (kind == 1) weights[i] = (pick - 20) * 0.37 * (random() % 2 == 0 ? 0.0 : 1.0);                // negative ones, both zeros
      if (kind == 2) weights[i] = std::ldexp(1 + pick / 64, static_cast<int>(random() % 1500) - 750);  // more than there are buckets
      if (kind == 3) weights[i] = 1 + static_cast<double>(random() >> 12) * 0x1p-60;                   // equal in all leading bits
      wanted[i] = random() % 8 != 0;
    }
    ASSERT_NO_FATAL_FAILURE(check(ranking, weights, wanted, random() % 4 == 0 ? 0 : random() % (size + 2)));
  }
}

TEST(Ranking, takes_infinities_and_nothing) {
  Ranking ranking;
  check(ranking, {}, {}, 3);
  check(ranking, {-INFINITY, 0.0, INFINITY, -0.0, 1e-320, -1e-320}, std::vector<bool>(6, true), 0);
  check(ranking, {1.0, 2.0}, {false, false}, 1);
}

}  // namespace
}  // namespace neardup
