#include "server/api/json_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "server/api/api_error.h"

namespace neardup::server {
namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status(), 400);
    return error.detail();
  }
  return "none";
}

TEST(JsonBody, ReadsItsMembers) {
  JsonBody body(R"({"s":"é\u0000x","b":true,"n":7,"d":0.5,"e":5.0,"l":["a","b"],"i":-12,"u":18446744073709551615})");
  EXPECT_EQ(body.text("s"), std::string_view("é\0x", 4));
  EXPECT_TRUE(body.flag("b", false));
  EXPECT_EQ(body.integer("n", 0, 10), 7u);
  EXPECT_EQ(body.integer("e", 0, 10), 5u);
  EXPECT_EQ(body.number("d", 0, 1), 0.5);
  EXPECT_THAT(body.texts("l", 2), testing::ElementsAre("a", "b"));
  EXPECT_EQ(body.optional_id("i"), "-12");
  const auto id = body.optional_id("u");
  EXPECT_EQ(body.optional_id("u"), "18446744073709551615");
  EXPECT_EQ(id, "18446744073709551615");  // asked for again, it stays
  EXPECT_FALSE(body.optional_text("none"));
  EXPECT_TRUE(body.flag("none", true));
  body.finish();
}

TEST(JsonBody, NamesWhatIsWrong) {
  using testing::AllOf;
  using testing::HasSubstr;
  const auto read = [](const char* text, const std::function<void(JsonBody&)>& work) {
    return refusal([&] {
      JsonBody body(text);
      work(body);
    });
  };
  EXPECT_THAT(read("[1]", [](JsonBody&) {}), HasSubstr("expected a JSON object, not [1]"));
  EXPECT_THAT(read("{\"a\":1", [](JsonBody&) {}), HasSubstr("not JSON"));
  EXPECT_THAT(read("{} {}", [](JsonBody&) {}), HasSubstr("not JSON"));
  EXPECT_THAT(read("{\"a\":\"\xff\"}", [](JsonBody&) {}), HasSubstr("not JSON"));
  EXPECT_THAT(read(R"({"a":"\ud800"})", [](JsonBody&) {}), HasSubstr("not JSON"));
  EXPECT_THAT(read("{}", [](JsonBody& b) { b.text("a"); }), HasSubstr("\"a\" is missing"));
  EXPECT_THAT(read(R"({"a":1})", [](JsonBody& b) { b.text("a"); }), HasSubstr("\"a\": expected a string, not 1"));
  EXPECT_THAT(read(R"({"a":11})", [](JsonBody& b) { b.integer("a", 0, 10); }), HasSubstr("an integer from 0 to 10, not 11"));
  EXPECT_THAT(read(R"({"a":1.5})", [](JsonBody& b) { b.integer("a", 0, 10); }), HasSubstr("not 1.5"));
  EXPECT_THAT(read(R"({"a":-1})", [](JsonBody& b) { b.integer("a", 0, 10); }), HasSubstr("not -1"));
  EXPECT_THAT(read(R"({"a":1e400})", [](JsonBody& b) { b.number("a", 0, 1); }), testing::Not("none"));
  EXPECT_THAT(read(R"({"a":"x"})", [](JsonBody& b) { b.flag("a", true); }), HasSubstr("true or false"));
  EXPECT_THAT(read(R"({"a":[]})", [](JsonBody& b) { b.texts("a", 2); }), HasSubstr("1 to 2 strings, not 0"));
  EXPECT_THAT(read(R"({"a":["x",1]})", [](JsonBody& b) { b.texts("a", 2); }), HasSubstr("not 1"));
  EXPECT_THAT(read(R"({"a":1.5})", [](JsonBody& b) { b.optional_id("a"); }), HasSubstr("a string or an integer"));
  EXPECT_THAT(read(R"({"a":""})", [](JsonBody& b) { b.optional_id("a"); }), HasSubstr("of 1 to 65535 bytes, not of 0"));
  EXPECT_THAT(read(R"({"a":1,"b":2})",
                   [](JsonBody& b) {
                     b.integer("a", 0, 1);
                     b.finish();
                   }),
              AllOf(HasSubstr("\"b\" is not known"), HasSubstr("known are: \"a\"")));
}

TEST(JsonBody, DoesNotRepeatLongOrStrangeValues) {
  const std::string text = "{\"a\":[\"" + std::string(1000, 'x') + "\"]}";
  EXPECT_LT(refusal([&] { JsonBody(text).text("a"); }).size(), 150u);
  EXPECT_THAT(refusal([] { JsonBody("{\"\\u001b[31m\":1}").finish(); }), testing::Not(testing::HasSubstr("\x1b")));
}

TEST(JsonBody, DeepNestingIsRefused) {
  EXPECT_THAT(refusal([] { JsonBody(std::string(100'000, '[')); }), testing::HasSubstr("not JSON"));
}

}  // namespace
}  // namespace neardup::server
