#include "io/mongo/bson_value.h"

#include <gtest/gtest.h>

#include "io/mongo/mongo_library.h"

namespace neardup {
namespace {

const bool kValuesLoaded = (load_mongo_library(), true);

Bson parse_value(const std::string& json) {
  bson_error_t error{};
  Bson document(bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), &error));
  EXPECT_TRUE(document) << json << ": " << error.message;
  return document;
}

// Of a value in Extended JSON.
std::string id_of(const std::string& value) {
  const Bson document = parse_value("{\"_id\":" + value + "}");
  bson_iter_t iter;
  EXPECT_TRUE(bson_iter_init_find(&iter, document.get(), "_id"));
  std::string text;
  append_id_text(iter, text);
  return text;
}

TEST(BsonValue, IdText) {
  EXPECT_EQ(id_of(R"("天气")"), "天气");
  EXPECT_EQ(id_of(R"("")"), "");
  EXPECT_EQ(id_of(R"({"$oid":"0123456789abcdef01234567"})"), "0123456789abcdef01234567");
  EXPECT_EQ(id_of(R"({"$numberInt":"-2147483648"})"), "-2147483648");
  EXPECT_EQ(id_of(R"({"$numberLong":"-9223372036854775808"})"), "-9223372036854775808");
  EXPECT_EQ(id_of(R"({"$numberDouble":"5.0"})"), "5");
  EXPECT_EQ(id_of(R"({"$numberDouble":"0.1"})"), "0.1");
  EXPECT_EQ(id_of(R"({"$numberDouble":"1e300"})"), "1e+300");
  EXPECT_EQ(id_of(R"({"$numberDouble":"NaN"})"), "NaN");
  EXPECT_EQ(id_of(R"({"$numberDouble":"-Infinity"})"), "-Infinity");
  EXPECT_EQ(id_of(R"({"$numberDecimal":"1.50"})"), "1.50");
  EXPECT_EQ(id_of("true"), "true");
  EXPECT_EQ(id_of("null"), "null");
  EXPECT_EQ(id_of(R"({"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}})"), "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(id_of(R"({"$binary":{"base64":"eHg=","subType":"00"}})"), R"({ "$binary" : { "base64" : "eHg=", "subType" : "00" } })");
  EXPECT_EQ(id_of(R"({"a":1})"), R"({ "a" : { "$numberInt" : "1" } })");
  EXPECT_EQ(id_of(R"({"$minKey":1})"), R"({ "$minKey" : 1 })");
}

// Independently: date -u -d @SECONDS
TEST(BsonValue, Dates) {
  const auto date = [](const std::string& milliseconds) { return id_of(R"({"$date":{"$numberLong":")" + milliseconds + R"("}})"); };
  EXPECT_EQ(date("0"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(date("1577934245678"), "2020-01-02T03:04:05.678Z");
  EXPECT_EQ(date("-1"), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(date("253402300799999"), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(date("-62135596800000"), "0001-01-01T00:00:00Z");
  EXPECT_EQ(date("253402300800000"), R"({ "$date" : { "$numberLong" : "253402300800000" } })");
  EXPECT_EQ(date("-9223372036854775808"), R"({ "$date" : { "$numberLong" : "-9223372036854775808" } })");
}

TEST(BsonValue, MalformedStringsAreRepaired) {
  const Bson document(bson_new());
  bson_append_utf8(document.get(), "_id", -1, "a\xFFz", 3);
  bson_iter_t iter;
  ASSERT_TRUE(bson_iter_init_find(&iter, document.get(), "_id"));
  std::string text;
  append_id_text(iter, text);
  EXPECT_EQ(text, "a\uFFFDz");
}

TEST(BsonValue, Paths) {
  const Bson document = parse_value(R"({"a":{"b":{"c":1}},"a.b":2,"list":[{"b":3}]})");
  bson_iter_t found;
  ASSERT_TRUE(find_value(*document, "a.b.c", found));
  EXPECT_EQ(bson_iter_as_int64(&found), 1);
  ASSERT_TRUE(find_value(*document, "a.b", found));
  EXPECT_EQ(bson_iter_type(&found), BSON_TYPE_DOCUMENT);
  EXPECT_FALSE(find_value(*document, "list.b", found));
  EXPECT_FALSE(find_value(*document, "a.x", found));
  EXPECT_FALSE(find_value(*document, "", found));
}

TEST(JsonForBson, LeavesWhatIsFine) {
  for (const char* line : {R"({"a":[1,-2.5e3,0.0,"x\"y\\",true,null],"b":{"c":"\ud83d\ude00 \u00e9"}})", "{}",
                           R"({"n":9223372036854775807})", R"({"n":-9223372036854775808,"123":"456"})"}) {
    EXPECT_EQ(repair_json_for_bson(line), line);
  }
}

TEST(JsonForBson, HalfSurrogates) {
  EXPECT_EQ(repair_json_for_bson(R"({"a":"\ud800"})"), R"({"a":"\ufffd"})");
  EXPECT_EQ(repair_json_for_bson(R"({"a":"\udc00\ud800x\ud83d\ude00"})"), R"({"a":"\ufffd\ufffdx\ud83d\ude00"})");
  EXPECT_EQ(repair_json_for_bson(R"({"a":"\\ud800"})"), R"({"a":"\\ud800"})");
}

TEST(JsonForBson, NumbersOutOfRange) {
  EXPECT_EQ(repair_json_for_bson("[9223372036854775808]"), R"([{"$numberDouble":"9.223372036854776e+18"}])");
  EXPECT_EQ(repair_json_for_bson("[1e400,-1e400,1e-400]"), R"([{"$numberDouble":"Infinity"},{"$numberDouble":"-Infinity"},0.0])");
}

}  // namespace
}  // namespace neardup
