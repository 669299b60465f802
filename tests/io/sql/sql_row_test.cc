#include "io/sql/sql_row.h"

#include <gtest/gtest.h>

#include <vector>

namespace neardup {
namespace {

// PostgreSQL manual, 8.15.6.
TEST(SqlArray, Elements) {
  EXPECT_EQ(postgres_array("[]"), "{}");
  EXPECT_EQ(postgres_array(R"(["a b", null, "NULL", "q\"\\", 1.5, true])"), R"({"a b",NULL,"NULL","q\"\\","1.5","true"})");
  EXPECT_EQ(postgres_array("[[1,2],[3,4]]"), R"({{"1","2"},{"3","4"}})");
}

TEST(SqlRow, MembersOfALine) {
  std::vector<SqlMember> members;
  parse_sql_line(R"( {"a":1,"b":{"x":[1, 2]} , "a":2,"neardup_verdict":"old","c":"\u00e9\n","neardup_verdict":"new","d":null})", members);
  ASSERT_EQ(members.size(), 5U);
  EXPECT_EQ(members[0].value.bytes, "1");
  EXPECT_EQ(members[1].value.kind, SqlKind::kJson);
  EXPECT_EQ(members[1].value.bytes, R"({"x":[1, 2]})");
  EXPECT_EQ(members[2].value.bytes, "new");
  EXPECT_EQ(members[3].value.bytes, "é\n");
  EXPECT_EQ(members[4].value.kind, SqlKind::kNull);
  parse_sql_line("{}", members);
  EXPECT_TRUE(members.empty());
}

TEST(SqlRow, WhatAColumnNeeds) {
  const auto need = [](const char* digits) { return need_of({SqlKind::kNumber, digits}); };
  EXPECT_EQ(need("123456789012345"), SqlNeed::kInteger);
  EXPECT_EQ(need("9223372036854775807"), SqlNeed::kBigInteger);
  EXPECT_EQ(need("9223372036854775808"), SqlNeed::kDecimal);
  EXPECT_EQ(need("12.50"), SqlNeed::kDouble);
  EXPECT_EQ(need("0.1428571428571428"), SqlNeed::kDouble) << "the digits of a double";
  EXPECT_EQ(need("0.14285714285714285714"), SqlNeed::kDecimal);
  EXPECT_EQ(need("1e999"), SqlNeed::kDecimal);
  EXPECT_EQ(merged(SqlNeed::kInteger, SqlNeed::kDouble), SqlNeed::kDouble);
  EXPECT_EQ(merged(SqlNeed::kDouble, SqlNeed::kBigInteger), SqlNeed::kDecimal) << "a double cannot hold 64 bits";
  EXPECT_EQ(merged(SqlNeed::kBoolean, SqlNeed::kInteger), SqlNeed::kText);
  EXPECT_EQ(merged(SqlNeed::kNothing, SqlNeed::kJson), SqlNeed::kJson);
}

}  // namespace
}  // namespace neardup
