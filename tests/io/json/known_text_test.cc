// Texts found without parsing are those that the parser gives; of lines that no parser accepted, anything but a crash.
#include "io/json/known_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/json/json_record.h"

namespace neardup {
namespace {

const RecordFields kKnownFields{.text = {"text"}, .id = "id", .rank = "", .block = ""};

// In memory of its own size, so that a sanitizer sees reads beyond it.
bool find(const std::string& line, std::string& text) {
  const std::vector<char> exact(line.begin(), line.end());
  std::string storage;
  std::string_view found;
  if (!find_known_text({exact.data(), exact.size()}, "text", storage, found)) return false;
  text = found;
  return true;
}

std::string parsed(const std::string& line) {
  RecordParser parser(kKnownFields);
  const std::string padded = line + std::string(kJsonPadding, '"');
  Record record;
  parser.parse(std::string_view(padded).substr(0, line.size()), record);
  EXPECT_TRUE(record.problem.empty()) << line;
  return std::string(record.text);
}

TEST(KnownText, FindsWhatTheParserFinds) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {"a",  "words and more words, ", "\\n", "\\\"", "\\\\", "\\/",           "\\t\\r\\b\\f", "中文",
                                           "😀", std::string(40, 'x'),     "}",   ",",    ":",    "{\\\"text\\\":"};
  const std::vector<std::string> before = {
      "", R"("id":"a",)", R"("id" : 17 , )", R"("n":-1.5e3,"t":true,"z":null,)", R"("id":"q\"\\",)", R"("texts":"no",)"};
  const std::vector<std::string> after = {"}", R"(,"more":{"text":"no"}})", R"( , "text":"later" }  )"};
  for (int round = 0; round < 3000; ++round) {
    std::string value;
    for (size_t i = random() % 12; i > 0; --i) value += pieces[random() % pieces.size()];
    const std::string line = "{" + before[random() % before.size()] + "\"text\":" + (random() % 2 == 0 ? " " : "") + "\"" + value + "\"" +
                             after[random() % after.size()];
    std::string text;
    ASSERT_TRUE(find(line, text)) << line;
    ASSERT_EQ(text, parsed(line)) << line;
  }
}

TEST(KnownText, LeavesToTheParserWhatIsNotSimple) {
  for (const std::string line :
       {R"({"text":"\u00e9"})", R"({"te\u0078t":"first","text":"second"})", R"({"a":[1],"text":"x"})", R"({"a":{"text":"y"},"text":"x"})",
        R"({"text":["x"]})", R"({"text":null})", R"({"id":"x"})", R"([1])", "", "  ", "{", "{}"}) {
    std::string text;
    EXPECT_FALSE(find(line, text)) << line;
  }
}

// The file may have changed since the first reading.
TEST(KnownText, SurvivesWhatIsNotJson) {
  std::mt19937 random(2);
  const std::string line =
      R"({"id":"abc\"d","n":12,"text":"some words\nand \"more\" of them, so that blocks are full \\ and \/ done","z":1})";
  for (size_t cut = 0; cut <= line.size(); ++cut) {
    std::string text;
    find(line.substr(0, cut), text);
    std::string damaged = line.substr(0, cut);
    for (char& c : damaged) c = random() % 8 == 0 ? "\"\\{}:,tu"[random() % 8] : c;
    find(damaged, text);
    EXPECT_LE(text.size(), line.size());
  }
}

TEST(KnownText, ReadAgainGivesTheTextOfEveryAcceptedLine) {
  RecordParser parser(kKnownFields);
  for (const std::string line : {R"({"id":1,"text":"plain"})", R"({"text":"\ud83d\ude00"})", R"({"a":[{"text":1}],"text":"after"})",
                                 R"({"te\u0078t":"first","text":"second"})"}) {
    const std::string padded = line + std::string(kJsonPadding, '"');
    Record record;
    parser.read_again(std::string_view(padded).substr(0, line.size()), record);
    EXPECT_EQ(record.text, parsed(line));
  }
}

}  // namespace
}  // namespace neardup
