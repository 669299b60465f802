#include "io/mongo/bson_record.h"

#include <gtest/gtest.h>

#include "io/mongo/mongo_library.h"

namespace neardup {
namespace {

const bool kLoaded = (load_mongo_library(), true);

Bson parse(const std::string& json) {
  bson_error_t error{};
  return Bson(bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), &error));
}

class BsonRecordTest : public testing::Test {
 protected:
  // What JSON Lines make of the same object, which is the definition.
  void expect_as_json_lines(const std::string& json) {
    const Bson document = parse(json);
    ASSERT_TRUE(document) << json;
    BsonRecord reader(fields_, uint64_t{1} << 20, false);
    Record record;
    reader.read(*document, Batch::Need::kText, record);
    RecordParser parser(fields_);
    Record expected;
    parser.parse_carefully(json, expected);
    EXPECT_EQ(record.text, expected.text) << json;
    EXPECT_EQ(record.problem.empty(), expected.problem.empty()) << json << record.problem << expected.problem;
    EXPECT_EQ(record.reject_kind, expected.reject_kind) << json;
    EXPECT_EQ(record.has_id, expected.has_id) << json;
    EXPECT_EQ(record.id, expected.id) << json;
    EXPECT_EQ(record.has_rank_value, expected.has_rank_value) << json;
    EXPECT_EQ(record.rank_value, expected.rank_value) << json;
  }

  RecordFields fields_{.text = {"text"}, .id = "_id", .rank = "score", .block = ""};
};

TEST_F(BsonRecordTest, ReadsAsJsonLinesDo) {
  for (const std::vector<std::string>& text : {std::vector<std::string>{"text"}, {"text", "more.body"}, {"more.body"}}) {
    fields_.text = text;
    for (const char* json : {R"({"_id":"a","text":"x y","score":1.5})", R"({"_id":7,"text":["a","b"],"more":{"body":"c"}})",
                             R"({"text":null,"more":{"body":"c"}})", R"({"text":5})", R"({"text":["a",null]})", R"({"text":[]})",
                             R"({"more":{"body":["x"]},"score":"1"})", R"({"text":""})", R"({"text":{"a":1}})",
                             R"({"text":true,"more":{}})", R"({})", R"({"_id":"b","text":"t","score":-3})"}) {
      expect_as_json_lines(json);
    }
  }
}

TEST_F(BsonRecordTest, MalformedTextIsReadAndCounted) {
  const Bson document(bson_new());
  bson_append_int32(document.get(), "_id", -1, 1);
  bson_append_utf8(document.get(), "text", -1, "a\xC3(", 3);
  BsonRecord reader(fields_, 100, true);
  Record record;
  reader.read(*document, Batch::Need::kParsed, record);
  EXPECT_EQ(record.text, "a\uFFFD(");
  EXPECT_TRUE(record.repaired);
  EXPECT_EQ(record.raw, "{ \"_id\" : { \"$numberInt\" : \"1\" }, \"text\" : \"a\uFFFD(\" }");
}

TEST_F(BsonRecordTest, Limit) {
  BsonRecord reader(fields_, 3, false);
  Record record;
  reader.read(*parse(R"({"text":"abc"})"), Batch::Need::kText, record);
  EXPECT_EQ(record.problem, "");
  reader.read(*parse(R"({"text":"abcd"})"), Batch::Need::kText, record);
  EXPECT_EQ(record.problem, "a text of 4 bytes is above the limit of 3");
}

TEST_F(BsonRecordTest, Blocks) {
  fields_.block = "of.brand";
  BsonRecord reader(fields_, 1000, false);
  const auto block = [&](const std::string& value) {
    Record record;
    reader.read(*parse(R"({"text":"x","of":{"brand":)" + value + "}}"), Batch::Need::kText, record);
    return std::string(record.block);
  };
  EXPECT_EQ(block(R"("A b")"), "A b");
  EXPECT_EQ(block("7"), "7");
  EXPECT_EQ(block(R"({"$numberLong":"-7"})"), "-7");
  EXPECT_EQ(block(R"({"$oid":"0123456789abcdef01234567"})"), "0123456789abcdef01234567");
  EXPECT_EQ(block(R"({"$numberDecimal":"1.50"})"), "1.50");
  for (const char* none : {"null", "true", "[1]", R"({"x":1})", R"({"$date":0})"}) EXPECT_EQ(block(none), "") << none;
}

TEST_F(BsonRecordTest, ProjectionsDoNotCollide) {
  const RecordFields fields{.text = {"a.b", "a", "a.c", "ab", "a!"}, .id = "_id.x", .rank = "r", .block = "b"};
  const Bson projection(new_projection(fields));
  std::string names;
  bson_iter_t iter;
  ASSERT_TRUE(bson_iter_init(&iter, projection.get()));
  while (bson_iter_next(&iter)) names += std::string(bson_iter_key(&iter)) + " ";
  EXPECT_EQ(names, "_id a a! ab b r ");
}

}  // namespace
}  // namespace neardup
