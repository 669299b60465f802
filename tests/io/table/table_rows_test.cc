#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io/table/table_rows.h"

namespace neardup {
namespace {

TEST(CutRows, SmallGroupsTogetherLargeOnesInParts) {
  const auto ranges = cut_rows({{10, 30}, {10, 30}, {0, 5}, {10, 60}, {100'000, 1000}, {5, 10}}, 100);
  ASSERT_GT(ranges.size(), 4u);
  EXPECT_EQ(ranges[0].rows, 20u);
  EXPECT_EQ(ranges[1].rows, 10u);
  EXPECT_EQ(ranges[1].group, 3u);
  EXPECT_EQ(ranges[2].first, 30u);
  EXPECT_EQ(ranges[2].rows, 10'240u);  // whole vectors of 2048
  EXPECT_EQ(ranges[2].query_rows, 100'000u);
  EXPECT_EQ(ranges.back().rows, 5u);
  EXPECT_EQ(ranges.back().query_rows, 5u);
}

// Every row is in exactly one range, in order, and a range lies inside the row groups of its query.
RC_GTEST_PROP(CutRows, CoverTheFile, ()) {
  std::vector<RowGroup> groups;
  uint64_t total = 0;
  for (const auto& [rows, bytes] :
       *rc::gen::container<std::vector<std::pair<uint32_t, uint32_t>>>(rc::gen::arbitrary<std::pair<uint32_t, uint32_t>>())) {
    groups.push_back({rows % 100'000, bytes % 10'000});
    total += groups.back().rows;
  }
  uint64_t at = 0;
  for (const RowRange& range : cut_rows(groups, *rc::gen::inRange<uint64_t>(1, 5000))) {
    RC_ASSERT(range.first == at);
    RC_ASSERT(range.rows > 0u);
    RC_ASSERT(range.query_first <= range.first);
    RC_ASSERT(range.first + range.rows <= range.query_first + range.query_rows);
    at += range.rows;
  }
  RC_ASSERT(at == total);
}

}  // namespace
}  // namespace neardup
