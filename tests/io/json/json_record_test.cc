// What a JSON line means: fields, ids, rank values, problems. Every case is read by both readers.
#include "io/json/json_record.h"
#include "io/bytes/buffer.h"

#include <fmt/format.h>

#include <random>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::StartsWith;

struct Read {
  std::string id, text, problem;
  bool has_id = false, repaired = false, has_rank = false;
  double rank = 0;
  bool bad_id = false;
  std::string block;
  bool is_protected = false;
  friend bool operator==(const Read&, const Read&) = default;
};

std::ostream& operator<<(std::ostream& out, const Read& read) {
  return out << "id=" << read.id << " text=" << read.text << " problem=" << read.problem << " rank=" << read.rank
             << " block=" << read.block;
}

const RecordFields kPlain{.text = {"text"}, .id = "id", .rank = "", .block = ""};

Read read_with(const RecordFields& fields, std::string_view line, bool carefully) {
  RecordParser parser(fields);
  std::string padded(line);
  padded.append(kJsonPadding, '"');  // the worst thing to find after a line
  Record record;
  if (carefully) {
    parser.parse_carefully(line, record);
  } else {
    parser.parse(std::string_view(padded).substr(0, line.size()), record);
  }
  return {std::string(record.id),    std::string(record.text), std::string(record.problem), record.has_id,
          record.repaired,           record.has_rank_value,    record.rank_value,           record.bad_id,
          std::string(record.block), record.is_protected};
}

Read parse(std::string_view line, const RecordFields& fields = kPlain) {
  const Read fast = read_with(fields, line, false);
  EXPECT_EQ(fast, read_with(fields, line, true)) << line;
  return fast;
}

TEST(JsonRecord, TextAndId) {
  EXPECT_EQ(parse(R"({"id":"a","text":"b"})"), (Read{.id = "a", .text = "b", .problem = "", .has_id = true, .block = ""}));
  EXPECT_EQ(parse(R"(  { "text" : "b\n\t\"\\\/\b\f\r\u00e9\u4e2d\ud83d\ude00" }  )").text, "b\n\t\"\\/\b\f\ré中😀");
  EXPECT_EQ(parse(R"({"\u0074ext":"escaped name"})").text, "escaped name");
  EXPECT_EQ(parse(R"({"text":""})"), (Read{}));
}

TEST(JsonRecord, IdsOfEveryType) {
  EXPECT_FALSE(parse(R"({"text":"x","id":null})").has_id);
  EXPECT_FALSE(parse(R"({"text":"x"})").has_id);
  EXPECT_TRUE(parse(R"({"text":"x","id":""})").has_id);
  for (const char* number : {"0", "-0", "7", "-7", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
                             "18446744073709551616", "123456789012345678901234567890", "1.0", "1.50", "1e5", "1E+400", "-0.0"}) {
    const Read read = parse(std::string(R"({"text":"x","id":)") + number + "}");
    EXPECT_EQ(read.id, number);
    EXPECT_EQ(read.problem, "");
  }
  for (const char* odd : {R"({"text":"x","id":[1]})", R"({"text":"x","id":true})", R"({"text":"x","id":{}})"}) {
    const auto parsed = parse(odd);
    EXPECT_EQ(parsed.problem, "") << odd;
    EXPECT_EQ(parsed.text, "x") << odd;
    EXPECT_FALSE(parsed.has_id) << odd;
    EXPECT_TRUE(parsed.bad_id) << odd;
  }
  EXPECT_FALSE(parse(R"({"text":"x","id":null})").bad_id);
  EXPECT_FALSE(parse(R"({"text":"x","id":"a"})").bad_id);
  EXPECT_FALSE(parse(R"({"text":"x","id":"a"})", {.text = {"text"}, .id = "", .rank = "", .block = ""}).has_id);
}

TEST(JsonRecord, ProblemsNameTheField) {
  EXPECT_EQ(parse(R"({"id":"a"})").problem, "no field 'text'");
  EXPECT_EQ(parse(R"({})").problem, "no field 'text'");
  EXPECT_EQ(parse(R"({"text":1})").problem, "field 'text' is a number, not a string");
  EXPECT_EQ(parse(R"({"text":null})").problem, "field 'text' is null, not a string");
  EXPECT_EQ(parse(R"({"text":{}})").problem, "field 'text' is an object, not a string");
  EXPECT_EQ(parse(R"([1])").problem, "the line is an array, not an object");
  EXPECT_EQ(parse(R"("text")").problem, "the line is a string, not an object");
  EXPECT_EQ(parse("3").problem, "the line is a number, not an object");
  EXPECT_EQ(parse(R"({"id":"a"})").id, "") << "a rejected record has nothing but its bytes";
}

TEST(JsonRecord, FieldsOfTheElementsOfArrays) {
  const RecordFields chat{.text = {"messages[*].content"}, .id = "id", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"messages":[{"content":"a"},{"content":"b"}]})", chat).text, "a\nb");
  EXPECT_EQ(parse(R"({"messages":[{"content":"a"},{"content":null},{"role":"x"},7,{"content":["b","c"]}]})", chat).text, "a\nb\nc");
  EXPECT_EQ(parse(R"({"messages":[]})", chat), (Read{}));
  EXPECT_EQ(parse(R"({"messages":[{"role":"x"}]})", chat).problem, "no field 'messages[*].content'");
  EXPECT_EQ(parse(R"({"messages":"a"})", chat).problem, "no field 'messages[*].content'");
  EXPECT_EQ(parse(R"({"messages":[{"content":"a"},{"content":1}]})", chat).problem,
            "field 'messages[*].content' is a number, not a string");
  EXPECT_EQ(parse(R"({"messages[*].content":"as it stands"})", chat).text, "as it stands");
  const RecordFields deep{.text = {"title", "a.b[*].c[*].d"}, .id = "", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"title":"t","a":{"b":[{"c":[{"d":"1"},{"d":"2"}]},{"c":[{"d":"3"}]}]}})", deep).text, "t\n1\n2\n3");
  const RecordFields words{.text = {"words[*]"}, .id = "", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"words":["a","b"]})", words).text, "a\nb");
}

TEST(JsonRecord, BrokenJsonNamesTheByte) {
  EXPECT_EQ(parse(R"({"text":"x")").problem, "invalid JSON at byte 12: the line ends before a bracket is closed");
  EXPECT_EQ(parse(R"({"text":"x"} {})").problem, "invalid JSON at byte 14: something follows the value");
  EXPECT_EQ(parse(R"({"text":"x)").problem, "invalid JSON at byte 9: a string is not closed");
  EXPECT_EQ(parse(R"({"text":"\x"})").problem, "invalid JSON at byte 10: a bad escape in a string");
  EXPECT_EQ(parse(R"({"text":"\u12g4"})").problem, "invalid JSON at byte 10: a bad escape in a string");
  EXPECT_EQ(parse("{\"text\":\"a\tb\"}").problem, "invalid JSON at byte 11: a control character in a string is not escaped");
  EXPECT_EQ(parse(R"({"text":"x",})").problem, "invalid JSON at byte 13: unexpected character '}' where a member name is expected");
  EXPECT_EQ(parse(R"({"text" "x"})").problem, "invalid JSON at byte 9: unexpected character '\"' where ':' is expected");
  EXPECT_EQ(parse(R"({"text":"x","n":01})").problem, "invalid JSON at byte 17: a number begins with 0");
  EXPECT_EQ(parse(R"({"text":"x","n":1.})").problem, "invalid JSON at byte 19: unexpected character '}' where a digit is expected");
  EXPECT_EQ(parse(R"({"text":"x","n":nul})").problem, "invalid JSON at byte 17: unexpected character 'n'");
  EXPECT_EQ(parse(R"({"text":"x","n":NaN})").problem, "invalid JSON at byte 17: unexpected character 'N'");
  EXPECT_EQ(parse(R"({"text":"x","n":[1 2]})").problem,
            "invalid JSON at byte 20: unexpected character '2' where ',' or a closing bracket is expected");
  EXPECT_EQ(parse("nonsense").problem, "invalid JSON at byte 1: unexpected character 'n'");
  EXPECT_EQ(parse("\xE4\xBD\xA0").problem, "invalid JSON at byte 1: unexpected character '\xE4\xBD\xA0'");
  EXPECT_EQ(parse(std::string(1, '\0')).problem, "invalid JSON at byte 1: unexpected character U+0000");
  EXPECT_EQ(parse("[-x]").problem, "invalid JSON at byte 3: unexpected character 'x' where a digit is expected");
  EXPECT_EQ(parse("").problem, "invalid JSON at byte 1: the line ends where a value is expected");
}

TEST(JsonRecord, InvalidUtf8NamesTheByte) {
  EXPECT_THAT(parse("{\"text\":\"a\xFF\"}").problem, StartsWith("not UTF-8 at byte 11: JSON Lines must be UTF-8"));
  EXPECT_THAT(parse("{\"text\":\"x\",\"other\":\"\xED\xA0\x80\"}").problem, StartsWith("not UTF-8 at byte 22: "));
  EXPECT_THAT(parse("\xC3").problem, StartsWith("not UTF-8 at byte 1: "));
}

TEST(JsonRecord, HalfSurrogatePairsAreRepaired) {
  for (const char* line : {R"({"text":"a\ud800b"})", R"({"text":"a\udc00b"})", R"({"text":"a\uDFFFb"})"}) {
    const Read read = parse(line);
    EXPECT_EQ(read.text, "a\uFFFDb");
    EXPECT_TRUE(read.repaired);
  }
  EXPECT_EQ(parse(R"({"text":"\ud800\ud83d\ude00\udc00"})").text, "\uFFFD😀\uFFFD");
  EXPECT_EQ(parse(R"({"text":"\ud800\u0041"})").text, "\uFFFDA");
  EXPECT_EQ(parse(R"({"text":"\\ud800"})").text, "\\ud800");
  const Read elsewhere = parse(R"({"other":"\ud800","text":"fine"})");
  EXPECT_EQ(elsewhere.text, "fine");
  EXPECT_FALSE(elsewhere.repaired);
}

TEST(JsonRecord, HugeNumbersElsewhereDoNotMatter) {
  EXPECT_EQ(parse(R"({"n":123456789012345678901234567890,"m":1e999,"text":"x"})").text, "x");
}

TEST(JsonRecord, FirstOfEqualNamesCounts) {
  EXPECT_EQ(parse(R"({"text":"first","text":"second"})").text, "first");
}

TEST(JsonRecord, DottedNames) {
  const RecordFields fields{.text = {"a.b.c"}, .id = "meta.id", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"a":{"b":{"c":"nested"}},"meta":{"id":"i"}})", fields),
            (Read{.id = "i", .text = "nested", .problem = "", .has_id = true, .block = ""}));
  EXPECT_EQ(parse(R"({"a":{"b":{"c":"nested"}},"a.b.c":"literal"})", fields).text, "literal");
  EXPECT_EQ(parse(R"({"a":{"b":{"c":"nested"}},"a.b":{"c":"half"}})", fields).text, "half");
  EXPECT_EQ(parse(R"({"a":{"b.c":"inner"},"a.b":{"d":1}})", fields).text, "inner");
  EXPECT_EQ(parse(R"({"a":[{"b":1}]})", fields).problem, "no field 'a.b.c'");
  for (const char* odd : {".", "..", "a.", ".a", ""}) {
    EXPECT_EQ(parse(R"({"a":{"":"x"}})", {.text = {odd}, .id = "", .rank = "", .block = ""}).problem.empty(),
              std::string_view(odd) == "a.");
  }
}

TEST(JsonRecord, SeveralTextFields) {
  const RecordFields fields{.text = {"title", "body"}, .id = "", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"body":"b","title":"t"})", fields).text, "t\nb");
  EXPECT_EQ(parse(R"({"body":"b","title":null})", fields).text, "b");
  EXPECT_EQ(parse(R"({"title":"t"})", fields).text, "t");
  EXPECT_EQ(parse(R"({"title":"","body":""})", fields).text, "\n");
  EXPECT_EQ(parse(R"({"title":null})", fields).problem, "none of the fields 'title', 'body'");
  EXPECT_EQ(parse(R"({"title":"t","body":[1]})", fields).problem, "field 'body' is an array with a number in it, not of strings");
}

TEST(JsonRecord, ArraysOfStringsAreJoined) {
  const RecordFields fields{.text = {"title", "body"}, .id = "", .rank = "", .block = ""};
  EXPECT_EQ(parse(R"({"text":["a","b","c"]})").text, "a\nb\nc");
  EXPECT_EQ(parse(R"({"text":[ "a" , "\ud800" ]})").text, "a\n\uFFFD");
  EXPECT_TRUE(parse(R"({"text":["a","\ud800"]})").repaired);
  EXPECT_EQ(parse(R"({"text":[]})").problem, "");
  EXPECT_EQ(parse(R"({"text":[]})").text, "");
  EXPECT_EQ(parse(R"({"title":["t","u"],"body":"b"})", fields).text, "t\nu\nb");
  EXPECT_EQ(parse(R"({"title":[],"body":"b"})", fields).text, "b");
  EXPECT_EQ(parse(R"({"text":["a",null]})").problem, "field 'text' is an array with null in it, not of strings");
  EXPECT_EQ(parse(R"({"text":["a",["b"]]})").problem, "field 'text' is an array with an array in it, not of strings");
}

TEST(JsonRecord, RankValues) {
  const RecordFields fields{.text = {"text"}, .id = "", .rank = "s.n", .block = ""};
  EXPECT_EQ(parse(R"({"text":"","s":{"n":2.5}})", fields).rank, 2.5);
  EXPECT_EQ(parse(R"({"text":"","s.n":-3})", fields).rank, -3);
  EXPECT_EQ(parse(R"({"text":"","s.n":18446744073709551615})", fields).rank, 18446744073709551615.0);
  EXPECT_EQ(parse(R"({"text":"","s.n":123456789012345678901234567890})", fields).rank, 123456789012345678901234567890.0);
  for (const char* none : {R"({"text":""})", R"({"text":"","s.n":"1"})", R"({"text":"","s.n":null})", R"({"text":"","s.n":1e999})"}) {
    EXPECT_FALSE(parse(none, fields).has_rank);
    EXPECT_EQ(parse(none, fields).problem, "");
  }
}

TEST(JsonRecord, BlocksAreStringsAndNumbersAsWritten) {
  const RecordFields fields{.text = {"text"}, .id = "", .rank = "", .block = "of.brand"};
  const auto block = [&](const std::string& value) { return parse(R"({"of":{"brand":)" + value + R"(},"text":"x"})", fields).block; };
  EXPECT_EQ(block(R"("a\u00e9")"), "a\u00E9");
  EXPECT_EQ(block(R"("a\ud800")"), "a\uFFFD");
  for (const char* number : {"7", "-7", "7.0", "1e5", "0", "-0", "123456789012345678901234567890"}) EXPECT_EQ(block(number), number);
  for (const char* none : {"null", "true", "[1]", "{}", R"("")"}) EXPECT_EQ(block(none), "");
  EXPECT_EQ(parse(R"({"text":"x"})", fields).block, "");
  EXPECT_EQ(parse(R"({"text":"x","of.brand":"a"})", fields).block, "a");
  EXPECT_EQ(parse(R"({"text":1,"of.brand":"a"})", fields).block, "") << "a rejected record has nothing";
}

TEST(JsonRecord, ProtectedValues) {
  const RecordFields fields{
      .text = {"text"},
      .id = "",
      .rank = "",
      .block = "",
      .protect = {{"meta.source", "wiki"}, {"n", "7"}, {"n", "1.50"}, {"n", "0"}, {"gold", "true"}, {"silver", "false"}}};
  const auto is_protected = [&](const char* members) { return parse(fmt::format(R"({{"text":"x"{}}})", members), fields).is_protected; };
  for (const char* members : {R"(,"meta":{"source":"wiki"})", R"(,"meta.source":"wi\u006bi")", R"(,"n":7)", R"(,"n":1.50)", R"(,"n":0)",
                              R"(,"n":"7")", R"(,"gold":true)", R"(,"silver":false)", R"(,"gold":"true")", R"(,"gold":false,"n":7)"}) {
    EXPECT_TRUE(is_protected(members)) << members;
  }
  for (const char* members : {"", R"(,"meta":{"source":"Wiki"})", R"(,"meta":"wiki")", R"(,"n":7.0)", R"(,"n":1.5)", R"(,"n":null)",
                              R"(,"gold":false)", R"(,"gold":1)", R"(,"gold":["true"])", R"(,"silver":true)", R"(,"gold":{"true":true})"}) {
    EXPECT_FALSE(is_protected(members)) << members;
  }
}

TEST(JsonRecord, DeepNesting) {
  const auto nested = [](size_t depth) { return R"({"text":"x","n":)" + std::string(depth, '[') + std::string(depth, ']') + "}"; };
  EXPECT_EQ(parse(nested(1000)).problem, "");
  EXPECT_EQ(parse(nested(1023)).problem, "");
  EXPECT_EQ(parse(nested(1024)).problem, "invalid JSON at byte 1040: nested too deep");
  EXPECT_EQ(parse(nested(5'000'000)).problem, "invalid JSON at byte 1040: nested too deep");
  EXPECT_EQ(parse(std::string(1'000'000, '[')).problem, "invalid JSON at byte 1025: nested too deep");
}

// The slow twin: what simdjson accepts, the careful reader reads the same, and what it refuses, they refuse together.
TEST(JsonRecord, BothReadersAgreeOnMutatedLines) {
  const RecordFields fields{.text = {"text", "t.u"}, .id = "id", .rank = "n", .block = ""};
  const std::string seed = R"({"id":12.5,"text":"a\u00e9\ud83d\ude00 b\\","t":{"u":"é中","v":[1,-2e3,true,false,null,{}]},"n":0.25})";
  std::mt19937_64 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::string line = seed;
    for (uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
      const size_t at = random() % line.size();
      switch (random() % 3) {
        case 0:
          line[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          line.erase(at, 1 + random() % 5);
          break;
        default:
          line.insert(at, 1, "{}[]\",:\\u0e1-. \tdn"[random() % 18]);
      }
      if (line.empty()) line.push_back(' ');
    }
    parse(line, fields);
  }
}

}  // namespace
}  // namespace neardup::testing
