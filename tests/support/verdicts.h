// expect_verdicts(): what a run decided about texts, against the kept and removed documents of an oracle.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "neardup/texts.h"

namespace neardup::testing {

/// 0, 1, ..., count - 1: the rank order of a run that keeps the first.
inline std::vector<size_t> input_order(size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

/// Stops at the first difference. `Kept` is the answer of an oracle for one text: keep, and of a removed one keeper and similarity.
template <typename Kept>
void expect_verdicts(const std::vector<Kept>& expected, const std::vector<TextVerdict>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(expected[i].keep, got[i].decision == Decision::kKeep) << "text " << i;
    if (expected[i].keep) continue;
    ASSERT_EQ(expected[i].keeper, got[i].keeper) << "text " << i;
    ASSERT_EQ(expected[i].similarity, got[i].similarity) << "text " << i;
  }
}

}  // namespace neardup::testing
