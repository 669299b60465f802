#include "search/quotes/quotes_minima.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neardup {
namespace {

TEST(RangeMinima, EqualScans) {
  std::mt19937 random(11);
  for (const size_t size : {1u, 5u, 64u, 65u, 4096u, 4097u, 10000u}) {
    std::vector<uint32_t> values(size);
    for (uint32_t& value : values) value = static_cast<uint32_t>(random()) % 1000;
    RangeMinima minima;
    minima.assign(values);
    for (int turn = 0; turn < 300; ++turn) {
      const size_t begin = random() % size;
      const size_t end = begin + 1 + random() % (size - begin);
      ASSERT_EQ(values[minima.smallest(begin, end)], *std::min_element(values.data() + begin, values.data() + end));
      ASSERT_GE(minima.smallest(begin, end), begin);
      ASSERT_LT(minima.smallest(begin, end), end);
      const uint32_t bound = static_cast<uint32_t>(random() % 4 == 0 ? random() % 1000 : random() % 3);
      size_t after = end;
      while (after > 0 && values[after - 1] >= bound) --after;
      ASSERT_EQ(minima.after_last_below(end, bound), after);
      size_t first = begin;
      while (first < size && values[first] >= bound) ++first;
      ASSERT_EQ(minima.first_below(begin, bound), first);
    }
  }
}

}  // namespace
}  // namespace neardup
