#include "io/sql/sql_connection.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(SqlConnection, NeighboursOfATableNeverHaveItsName) {
  EXPECT_EQ(neighbour_table({.schema = "s", .name = "docs"}, "_neardup_partial"),
            (SqlTable{.schema = "s", .name = "docs_neardup_partial"}));
  const SqlTable other = neighbour_table({.schema = "", .name = std::string(63, 'n')}, "_neardup_partial");
  EXPECT_LE(other.name.size(), 63U);
  EXPECT_TRUE(other.name.ends_with("_neardup_partial"));
  EXPECT_NE(other, neighbour_table({.schema = "", .name = std::string(62, 'n')}, "_neardup_partial"));
  std::string chinese;
  for (int i = 0; i < 20; ++i) chinese += "中";
  EXPECT_EQ(neighbour_table({.schema = "", .name = "a" + chinese}, "_neardup_partial").name.substr(0, 29),
            "a" + chinese.substr(0, 27) + "_");
}

}  // namespace
}  // namespace neardup
