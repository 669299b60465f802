// Fields that options name and no input has.
#include "io/field_check.h"

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FieldChecks : public IoTest {
 protected:
  std::string error_of(const std::vector<std::string>& inputs) {
    try {
      const auto source = open_source(inputs, options);
      collect(*source);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return error.what();
    }
    return "";
  }
  static std::string lines(const std::string& line, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += line + "\n";
    return text;
  }
  SourceOptions options;
};

constexpr const char* kLine = R"({"id":1,"text":"a","score":5,"meta":{"url":"u"}})";

TEST_F(FieldChecks, ATextFieldThatNoRecordHas) {
  const std::string input = write("a.jsonl", lines(kLine, 3));
  EXPECT_EQ(error_of({input}), "");
  options.text_field = {"txt"};
  EXPECT_EQ(error_of({input}),
            input + ": no record has the field 'txt'; fields of the first record: id, text, score, meta. Use --text-field.");
  options.text_field = {"meta.url"};
  EXPECT_EQ(error_of({input}), "");
  options.text_field = {"txt", "body"};
  EXPECT_THAT(error_of({input}), HasSubstr(": no record has one of the fields 'txt', 'body'; fields"));
  options.text_field = {"text", "body"};
  EXPECT_THAT(error_of({input}), HasSubstr(": no record has the field 'body'; fields"));
  options.field_checks = SourceOptions::FieldChecks::kNone;
  EXPECT_EQ(error_of({input}), "");
}

TEST_F(FieldChecks, FieldsOfIdsRanksAndCopies) {
  const std::string input = write("a.jsonl", lines(kLine, 3));
  const auto message = [&](const std::string& field, const std::string& option) {
    return input + ": no record has the field '" + field + "'; fields of the first record: id, text, score, meta. Use " + option + ".";
  };
  options.id_field = "key";
  EXPECT_EQ(error_of({input}), message("key", "--id-field"));
  options.id_field = "id";
  options.rank_field = "scroe";
  EXPECT_EQ(error_of({input}), message("scroe", "--keep"));
  options.rank_field = "score";
  options.required_fields = copied_fields("id=$id,link=meta.url,title=title");
  EXPECT_EQ(error_of({input}), message("title", "--fields"));
  options.required_fields = copied_fields("id=$id,link=meta.url");
  EXPECT_EQ(error_of({input}), "");
  // Of a corpus that is only compared with, nothing but the text matters.
  options.rank_field = "scroe";
  options.field_checks = SourceOptions::FieldChecks::kText;
  EXPECT_EQ(error_of({input}), "");
  // Without a field of its own an input may have ids or not.
  options.field_checks = SourceOptions::FieldChecks::kAll;
  options.rank_field = "";
  options.id_field = std::string(kAutoIdField);
  EXPECT_EQ(error_of({write("b.jsonl", lines(R"({"text":"a","meta":{"url":1}})", 3))}), "");
}

TEST_F(FieldChecks, WhatIsThereWithoutAValueIsThere) {
  EXPECT_EQ(error_of({write("a.jsonl", "{\"text\":null}\n")}), "");
  EXPECT_EQ(error_of({write("b.jsonl", "")}), "");
  EXPECT_EQ(error_of({write("c.jsonl", "[1]\n{\n\xFF\n\n")}), "") << "no object tells its fields";
  EXPECT_THAT(error_of({write("d.jsonl", "{}\n")}), HasSubstr("fields of the first record: none"));
}

TEST_F(FieldChecks, AShortFileMayLackWhatOthersHave) {
  const std::string good = write("a.jsonl", lines(kLine, 2));
  const std::string few = write("b.jsonl", lines(R"({"error":"gone"})", FieldCheck::kManyObjects - 1));
  const std::string many = write("c.jsonl", lines(R"({"error":"gone"})", FieldCheck::kManyObjects));
  EXPECT_EQ(error_of({good, few}), "");
  EXPECT_EQ(error_of({few, good}), "");
  EXPECT_THAT(error_of({good, many}), AllOf(HasSubstr(many + ": no record has the field 'text'"), HasSubstr("record: error. Use")));
  EXPECT_THAT(error_of({few}), HasSubstr(few + ": no record"));
  // Several fields need not be in the same file.
  options.text_field = {"text", "error"};
  EXPECT_EQ(error_of({good, many}), "");
  options.rank_field = "score";
  EXPECT_EQ(error_of({many, good}), "");
}

TEST_F(FieldChecks, CompressedFilesAndTheCutsOfBatches) {
  options.text_field = {"txt"};
  const std::string packed = write("a.jsonl.gz", gzip_bytes(lines(kLine, 3)));
  EXPECT_THAT(error_of({packed}), HasSubstr("a.jsonl.gz: no record has the field 'txt'"));
  // Batches of one record do not hide the later ones.
  options.text_field = {"text"};
  options.batch_bytes = 1;
  EXPECT_EQ(error_of({write("b.jsonl", lines(R"({"other":1})", 50) + kLine)}), "");
  EXPECT_EQ(error_of({write("b.jsonl.gz", gzip_bytes(lines(R"({"other":1})", 50) + kLine))}), "");
}

TEST_F(FieldChecks, NamesOfFieldsAreCutAndShown) {
  std::string object = "{";
  for (int i = 0; i < 25; ++i) object += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":0";
  const std::string message = error_of({write("a.jsonl", object + ",\"\\u0007\":1}\n")});
  EXPECT_THAT(message, HasSubstr("first record: f0, f1,"));
  EXPECT_THAT(message, HasSubstr("f19 and 6 more. Use"));
  EXPECT_THAT(error_of({write("b.jsonl", "{\"a\\u0007b\":1}\n")}), HasSubstr("first record: a?b."));
}

}  // namespace
}  // namespace neardup::testing
