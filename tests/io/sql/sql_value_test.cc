#include "io/sql/sql_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

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

RC_GTEST_PROP(SqlValue, DoublesRoundTrip, (double value)) {
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

RC_GTEST_PROP(SqlValue, BytesRoundTrip, (const std::string& bytes)) {
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

}  // namespace
}  // namespace neardup
