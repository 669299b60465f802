#include "jobs/report/text_parts.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "jobs/report/json_writer.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

boost::json::array parts_of(std::string_view removed, std::string_view keeper) {
  std::string out;
  JsonWriter json(out);
  write_text_parts(removed, keeper, json);
  EXPECT_LT(out.size(), 40'000u);  // even if every byte needs an escape
  return boost::json::parse(out).as_array();
}

// The text of one side; characters left out are counted.
std::string side(const boost::json::array& parts, std::string_view signs, uint64_t* left_out = nullptr) {
  std::string text;
  for (const boost::json::value& part : parts) {
    const std::string_view sign = part.at(0).as_string();
    if (sign == "~") {
      if (left_out != nullptr) *left_out += part.at(1).to_number<uint64_t>();
    } else if (signs.find(sign) != std::string_view::npos) {
      text += std::string_view(part.at(1).as_string());
    }
  }
  return text;
}

TEST(JsonWriter, WritesCommasAndEscapes) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("a").begin_array().whole(1).number(0.25).null().begin_object().end_object().begin_array().end_array();
  json.end_array().key("b").text("\"\n\xff<").key("c").raw("[1]").key("d").begin_object().key("e").whole(2).end_object().end_object();
  EXPECT_EQ(out, "{\"a\":[1,0.25,null,{},[]],\"b\":\"\\\"\\n\xEF\xBF\xBD<\",\"c\":[1],\"d\":{\"e\":2}}");
}

TEST(JsonWriter, TakesTextThatLooksLikeJson) {
  std::string out;
  JsonWriter json(out);
  json.begin_array().text("{").text("[").text(":").end_array();
  EXPECT_EQ(out, R"(["{","[",":"])");
}

TEST(TextParts, AreTheTwoTexts) {
  const auto parts = parts_of("the old bridge over the river", "the new bridge over the river");
  EXPECT_EQ(boost::json::serialize(parts), R"([["=","the "],["-","old"],["+","new"],["="," bridge over the river"]])");
  EXPECT_TRUE(parts_of("", "").empty());
  EXPECT_EQ(boost::json::serialize(parts_of("", "all")), R"([["+","all"]])");
}

TEST(TextParts, CountWhatTheyLeaveOut) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "word" + std::to_string(i) + " ";
  uint64_t left_out = 0;
  const std::string shown = side(parts_of(text, text + "end"), "=-", &left_out);
  EXPECT_LT(shown.size(), 4000u);
  EXPECT_GT(left_out, text.size() - 4000);
  EXPECT_FALSE(parts_of(std::string(1 << 20, 'a'), std::string(1 << 20, 'b')).empty());
}

TEST(TextParts, AreTotal) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string a(random() % 50, ' ');
    for (char& c : a) c = static_cast<char>(random() % 3 == 0 ? ' ' : random());
    std::string b = a;
    if (!b.empty()) b[random() % b.size()] = static_cast<char>(random());
    const auto parts = parts_of(a, b);
    uint64_t left_out = 0;
    const std::string shown = side(parts, "=-", &left_out);
    std::string repaired;
    repair_utf8(a, repaired);
    // A part may begin inside a malformed sequence, which then reads as more than one U+FFFD.
    if (left_out == 0 && repaired == a) {
      EXPECT_EQ(shown, a);
    }
  }
}

TEST(Names, AreClippedBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 200; ++i) name += "名";
  std::string out;
  JsonWriter json(out);
  write_name(name, json);
  EXPECT_EQ(out, "\"" + name.substr(0, 300) + "…\"");
  out.clear();
  write_name("short", json);
  EXPECT_EQ(out, "\"short\"");
}

}  // namespace
}  // namespace neardup
