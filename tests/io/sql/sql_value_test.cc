#include "io/sql/sql_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "io/sql/sql_array.h"
#include "io/sql/sql_row.h"

namespace neardup {
namespace {

std::string json(SqlKind kind, std::string_view bytes) {
  std::string out;
  append_json_value({kind, bytes}, out);
  return out;
}

TEST(SqlValue, NumbersAsJsonWantsThem) {
  EXPECT_EQ(json_number("0042"), "42");
  EXPECT_EQ(json_number("-007.50"), "-7.50");
  EXPECT_EQ(json_number("+1"), "1");
  EXPECT_EQ(json_number(".5"), "0.5");
  EXPECT_EQ(json_number("000"), "0");
  EXPECT_EQ(json_number("12345678901234567890.123456789"), "12345678901234567890.123456789");
  EXPECT_EQ(json_number("1e-07"), "1e-07");
  for (const char* none : {"", "-", "NaN", "Infinity", "1a", "0x1", "--1"}) EXPECT_EQ(json_number(none), "") << none;
}

TEST(SqlValue, DoublesKeepTheirValueAndAPoint) {
  EXPECT_EQ(shortest_double(0.1), "0.1");
  EXPECT_EQ(shortest_double(5), "5.0");
  EXPECT_EQ(shortest_double(1e300), "1e+300");
  EXPECT_EQ(shortest_double(std::nan("")), "NaN");
  EXPECT_EQ(shortest_double(-std::numeric_limits<double>::infinity()), "-Infinity");
}

RC_GTEST_PROP(SqlValue, DoublesComeBack, (double value)) {
  RC_ASSERT(std::strtod(shortest_double(value).c_str(), nullptr) == value);
}

// RFC 4648, section 10.
TEST(SqlValue, Base64) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  std::string back;
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_TRUE(from_base64(text, back)) << text;
    EXPECT_EQ(back, bytes);
  }
  for (const char* bad : {"Zg=", "Zg", "=g==", "Z===", "Zg==Zg==", "Zm9 ", "Zm9-"}) EXPECT_FALSE(from_base64(bad, back)) << bad;
}

RC_GTEST_PROP(SqlValue, BytesComeBack, (const std::string& bytes)) {
  std::string back;
  RC_ASSERT(from_base64(to_base64(bytes), back) && back == bytes);
  RC_ASSERT(from_hex(to_hex(bytes)) == bytes);
}

TEST(SqlValue, CellsAsJson) {
  EXPECT_EQ(json(SqlKind::kNull, ""), "null");
  EXPECT_EQ(json(SqlKind::kText, std::string_view("a\0\"\n中", 7)), "\"a\\u0000\\\"\\n中\"");
  EXPECT_EQ(json(SqlKind::kText,
                 "ab\xff"
                 "c\xe4\xb8"),
            "\"ab\\udcffc\\udce4\\udcb8\"");
  EXPECT_EQ(json(SqlKind::kJson, "{\"a\":\n [1.50]}"), "{\"a\":  [1.50]}");
  EXPECT_EQ(json(SqlKind::kJson, "{\"a\":"), "\"{\\\"a\\\":\"") << "what is not JSON is text";
  EXPECT_EQ(json(SqlKind::kBytes, "foo"), "\"Zm9v\"");
}

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
