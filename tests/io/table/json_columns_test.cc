#include "io/table/json_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::ElementsAre;

// "name TYPE" of each column that holds all lines.
std::vector<std::string> columns_of(const std::vector<std::string>& lines) {
  JsonColumns columns;
  std::vector<std::pair<size_t, size_t>> precise;
  for (const std::string& line : lines) columns.add(line, precise);
  std::vector<std::string> found;
  for (const JsonColumns::Column& column : columns.columns()) found.push_back(column.name + " " + column.sql_type);
  return found;
}

std::string type_of(const std::vector<std::string>& values) {
  std::vector<std::string> lines;
  for (const std::string& value : values) lines.push_back("{\"v\":" + value + "}\n");
  return columns_of(lines).front().substr(2);
}

TEST(JsonColumns, ScalarsTakeTheTypeThatHoldsAll) {
  EXPECT_EQ(type_of({"true", "null"}), "BOOLEAN");
  EXPECT_EQ(type_of({"1", "-9223372036854775808"}), "BIGINT");
  EXPECT_EQ(type_of({"1", "9223372036854775808"}), "UBIGINT");
  EXPECT_EQ(type_of({"-1", "9223372036854775808"}), "DECIMAL(38,0)");
  EXPECT_EQ(type_of({"18446744073709551616"}), "DECIMAL(38,0)");
  EXPECT_EQ(type_of({"-9223372036854775809"}), "DECIMAL(38,0)");
  EXPECT_EQ(type_of({std::string(39, '9')}), "DOUBLE");
  EXPECT_EQ(type_of({"1", "0.5"}), "DOUBLE");
  EXPECT_EQ(type_of({"1e3"}), "DOUBLE");
  EXPECT_EQ(type_of({"0.5", "\"NaN\"", "\"-Infinity\""}), "DOUBLE");
  EXPECT_EQ(type_of({"\"NaN\""}), "VARCHAR");
  EXPECT_EQ(type_of({"12.123456789012345678", "123456"}), "DECIMAL(24,18)");
  EXPECT_EQ(type_of({"12.123456789012345678", "1e3"}), "DOUBLE");
  EXPECT_EQ(type_of({"\"2024-01-01\""}), "VARCHAR");
  EXPECT_EQ(type_of({"null"}), "VARCHAR");
  EXPECT_EQ(type_of({"1", "\"1\""}), "JSON");
  EXPECT_EQ(type_of({"true", "1"}), "JSON");
}

TEST(JsonColumns, NestedValues) {
  EXPECT_EQ(type_of({"[]", "[1, 2]", "[ null ]"}), "BIGINT[]");
  EXPECT_EQ(type_of({"[[\"a]\"],[]]"}), "VARCHAR[][]");
  EXPECT_EQ(type_of({"{\"a\":1}", "{ \"b\" : {\"c,\\\"\":[true]} , \"a\" : 0.5 }"}),
            "STRUCT(\"a\" DOUBLE, \"b\" STRUCT(\"c,\"\"\" BOOLEAN[]))");
  EXPECT_EQ(type_of({"{}"}), "JSON");
  EXPECT_EQ(type_of({"{\"a\":1,\"A\":2}"}), "JSON");
  EXPECT_EQ(type_of({"[1]", "{\"a\":1}"}), "JSON");
  EXPECT_EQ(type_of({std::string(40, '[') + std::string(40, ']')}).substr(0, 4), "VARC");
}

TEST(JsonColumns, ColumnsAreInOrderOfOccurrence) {
  EXPECT_THAT(columns_of({"{\"b\":1,\"a\":2}\n", "{\"c\":\"x\",\"b\":null}\n"}), ElementsAre("b BIGINT", "a BIGINT", "c VARCHAR"));
  EXPECT_THAT(columns_of({}), ElementsAre("text VARCHAR"));
  EXPECT_THAT(columns_of({"{\"neardup_keeper_row\":null,\"similarity\":null}"}),
              ElementsAre("neardup_keeper_row BIGINT", "similarity DOUBLE"));
  EXPECT_THROW(columns_of({"{\"a\":1,\"A\":2}"}), Error);
}

TEST(JsonColumns, PlacesOfPreciseNumbers) {
  JsonColumns columns;
  std::vector<std::pair<size_t, size_t>> precise;
  const std::string line = R"({"a":0.5,"b":[0.1234567890123456789],"c":"0.1234567890123456789"})";
  columns.add(line, precise);
  ASSERT_EQ(precise.size(), 1u);
  EXPECT_EQ(line.substr(precise[0].first, precise[0].second - precise[0].first), "0.1234567890123456789");
}

TEST(JsonColumns, HalfSurrogatesAreRepaired) {
  const std::pair<std::string, std::string> cases[] = {
      {R"(\ud83d\ude00)", R"(\ud83d\ude00)"}, {R"(\ud83dx)", R"(\ufffdx)"},       {R"(\ude00\ud83d)", R"(\ufffd\ufffd)"},
      {R"(\\ud83d)", R"(\\ud83d)"},           {R"(\u00e9\ud8)", R"(\u00e9\ud8)"}, {R"(\ud83d\ud83d\ude00)", R"(\ufffd\ud83d\ude00)"}};
  for (const auto& [line, wanted] : cases) {
    std::string repaired = line;
    EXPECT_EQ(repair_surrogates(repaired), line != wanted);
    EXPECT_EQ(repaired, wanted);
  }
}

}  // namespace
}  // namespace neardup
