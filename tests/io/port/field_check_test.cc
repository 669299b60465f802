// Fields that options name and no input has.
#include "io/port/field_check.h"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

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
  EXPECT_EQ(error_of({input}), input +
                                   ": none of the 3 records has the field 'txt'; fields of the first record: id, text, score, meta. Did "
                                   "you mean 'text'? Use --text-field.");
  options.text_field = {"meta.url"};
  EXPECT_EQ(error_of({input}), "");
  options.text_field = {"txt", "body"};
  EXPECT_THAT(error_of({input}), HasSubstr(": none of the 3 records has any of the fields 'txt', 'body'; fields"));
  options.text_field = {"text", "body"};
  EXPECT_THAT(error_of({input}), HasSubstr(": none of the 3 records has the field 'body'; fields"));
  options.field_checks = SourceOptions::FieldChecks::kNone;
  EXPECT_EQ(error_of({input}), "");
}

TEST_F(FieldChecks, FieldsOfIdsRanksAndCopies) {
  const std::string input = write("a.jsonl", lines(kLine, 3));
  const auto message = [&](const std::string& field, const std::string& option, const std::string& near = "") {
    return input + ": none of the 3 records has the field '" + field + "'; fields of the first record: id, text, score, meta. " + near +
           "Use " + option + ".";
  };
  options.id_field = "key";
  EXPECT_EQ(error_of({input}), message("key", "--id-field"));
  options.id_field = "id";
  options.rank_field = "scroe";
  EXPECT_EQ(error_of({input}), message("scroe", "--keep", "Did you mean 'score'? "));
  options.rank_field = "score";
  options.required_fields = copied_fields("id=$id,link=meta.url,title=title");
  EXPECT_EQ(error_of({input}), message("title", "--fields"));
  options.protect = {{"scor", "1"}};
  options.required_fields.clear();
  EXPECT_THAT(error_of({input}), EndsWith("meta. Did you mean 'score'? Name a field of the records in --protect FIELD=VALUE; without it, "
                                          "no document is protected."));
  options.protect.clear();
  options.required_fields = copied_fields("id=$id,link=meta.url");
  EXPECT_EQ(error_of({input}), "");
  // Of a corpus that is only compared with, nothing but the text and the block matters.
  options.rank_field = "scroe";
  options.field_checks = SourceOptions::FieldChecks::kText;
  EXPECT_EQ(error_of({input}), "");
  options.block_field = "brand";
  EXPECT_EQ(error_of({input}), message("brand", "--block-on"));
  options.block_field = "meta.url";
  EXPECT_EQ(error_of({input}), "");
  // Without a field of its own an input may have ids or not.
  options.field_checks = SourceOptions::FieldChecks::kAll;
  options.rank_field = "";
  options.id_field = std::string(kAutoIdField);
  EXPECT_EQ(error_of({write("b.jsonl", lines(R"({"text":"a","meta":{"url":1}})", 3))}), "");
}

TEST_F(FieldChecks, FieldsWithoutAValueArePresent) {
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
  EXPECT_THAT(error_of({good, many}),
              AllOf(HasSubstr(many + ": none of the 100 records has the field 'text'"), HasSubstr("record: error. Use")));
  EXPECT_THAT(error_of({few}), HasSubstr(few + ": none of the 99 records"));
  // Several fields need not be in the same file.
  options.text_field = {"text", "error"};
  EXPECT_EQ(error_of({good, many}), "");
  options.rank_field = "score";
  EXPECT_EQ(error_of({many, good}), "");
}

// A record that was not checked may have the field.
TEST_F(FieldChecks, LongInputsAreSeenInPart) {
  const std::string filler(1000, 'x');
  const std::string long_text = lines(R"({"text":")" + filler + R"("})", 5000);
  const std::string input = write("a.jsonl", long_text + R"({"text":"a","score":1,"id":2})" + "\n");
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  EXPECT_EQ(error_of({input}), "");
  EXPECT_THAT(warnings, ElementsAre());
  options.rank_field = "score";
  options.id_field = "id";
  EXPECT_EQ(error_of({input}), "");
  EXPECT_THAT(warnings, ElementsAre(MatchesRegex(input + ": none of the first 4,[0-9]+ records has the field 'id'; fields of the first "
                                                         "record: text \\(--id-field\\)"),
                                    AllOf(HasSubstr(" has the field 'score'"), EndsWith(" (--keep)"))));
  warnings.clear();
  options.text_field = {"txt"};
  EXPECT_THAT(error_of({input}), MatchesRegex(input + ": none of the first 4,[0-9]+ records has the field 'txt'; .*Use --text-field\\."));
  // Too few prove nothing.
  options.text_field = {"txt", "body"};
  options.rank_field = "";
  options.id_field = std::string(kAutoIdField);
  const std::string few = write("b.jsonl", R"({"other":")" + std::string(5u << 20, 'x') + "\"}\n" + R"({"txt":"a"})" + "\n");
  EXPECT_EQ(error_of({few}), "");
  EXPECT_THAT(warnings, ElementsAre(few + ": the first record lacks all of the fields 'txt', 'body'; fields of the first record: other "
                                          "(--text-field)"));
}

TEST_F(FieldChecks, AllInputsAreOneRun) {
  const std::string first = write("a.jsonl", lines(R"({"text":"a"})", 3));
  const std::string archive = write("b.warc", "");
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  options.rank_field = "score";
  EXPECT_THAT(error_of({first, write("c.jsonl", "{}\n")}),
              HasSubstr(first + " and 1 more input: none of the 4 records has the field 'score'; fields of the first record: text. Use"));
  EXPECT_EQ(warnings.size(), 0u);
  EXPECT_EQ(error_of({first, archive}), "") << "its records may have it";
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("none of the first 3 records has the field 'score'")));
  EXPECT_THAT(error_of({write("d.jsonl", "{}\n")}), HasSubstr("d.jsonl: the only record lacks the field 'text'; fields"));
}

// A pipe is checked when it is read, together with the files before it.
TEST_F(FieldChecks, PipesAreInputsOfTheRun) {
  const std::string first = write("a.jsonl", lines(R"({"text":"a"})", 3));
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  options.rank_field = "score";
  const auto error_with = [&](const std::string& line) {
    const std::jthread feeder([&] { std::ofstream(pipe) << line << '\n'; });
    return error_of({first, pipe});
  };
  EXPECT_EQ(error_with(R"({"text":"b","score":1})"), "");
  EXPECT_THAT(error_with(R"({"text":"b","scroe":1})"),
              HasSubstr(first + " and 1 more input: none of the 4 records has the field 'score'; fields of the first record: text. Use"));
}

TEST_F(FieldChecks, CompressedFilesAndTheCutsOfBatches) {
  options.text_field = {"txt"};
  const std::string packed = write("a.jsonl.gz", gzip_bytes(lines(kLine, 3)));
  EXPECT_THAT(error_of({packed}), HasSubstr("a.jsonl.gz: none of the 3 records has the field 'txt'"));
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
  EXPECT_THAT(error_of({write("b.jsonl", "{\"a\\u0007b\":1}\n")}), HasSubstr("first record: a\\x07b."));
}

}  // namespace
}  // namespace neardup::testing
