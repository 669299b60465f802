#include "text/utf8/code_point_cursor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/utf8/utf8.h"

namespace neardup {
namespace {

TEST(CodePointCursor, forward_and_back) {
  CodePointCursor cursor("a中𠮷é");
  EXPECT_EQ(cursor.count_before(0), 0u);
  EXPECT_EQ(cursor.count_before(4), 2u);
  EXPECT_EQ(cursor.count_before(10), 4u);
  EXPECT_EQ(cursor.count_before(8), 3u);
  EXPECT_EQ(cursor.count_before(1), 1u);
  EXPECT_EQ(CodePointCursor("").count_before(0), 0u);
}

RC_GTEST_PROP(CodePointCursor, any_order, (const std::vector<char32_t>& values, const std::vector<uint16_t>& order)) {
  std::string text;
  std::vector<size_t> places;
  for (const char32_t value : values) {
    places.push_back(text.size());
    append_utf8(value % 0xD800, text);
  }
  places.push_back(text.size());
  CodePointCursor cursor(text);
  for (const uint16_t number : order) {
    const size_t count = number % places.size();
    RC_ASSERT(cursor.count_before(places[count]) == count);
  }
}

}  // namespace
}  // namespace neardup
