// tags_v1, cut_before, cut_after, remove; chains and descriptions of all cleaners.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "neardup/error.h"
#include "text/clean/cleaner.h"

namespace neardup {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string clean(std::string_view json, std::string_view text) {
  Cleaner::Scratch scratch;
  std::string out = "what was there before";
  make_cleaner(json)->clean(text, out, scratch);
  return out;
}

std::string message_of(std::string_view json) {
  try {
    static_cast<void>(make_cleaner(json));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  ADD_FAILURE() << json << " is accepted";
  return {};
}

TEST(TagsCleaner, Golden) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"no tags", "no tags"},
      {"<p>one</p><p>two</p>", "onetwo"},
      {"a<br>b", "ab"},
      {"a < b and c > d", "a  d"},
      {"a < b", "a < b"},
      {"<>", "<>"},
      {"<>x>", "<>x>"},
      {"<<b>c", "c"},
      {"a<b", "a<b"},
      {"a<", "a<"},
      {"<i>a</i", "a</i"},
      {"<a title=\">\">b", "\">b"},
      {"<script>x<1</script>y",
       "x"
       "y"},
      {"line<\n>two", "linetwo"},
      {"&lt;b&gt;", "&lt;b&gt;"},
      {std::string("a<\0>b", 5), "ab"},
      {"\xFF<b>\xFE", "\xFF\xFE"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(clean("\"tags_v1\"", text), expected) << text;
}

// Bytes that make tags often.
std::string tag_soup(const std::vector<uint8_t>& choices) {
  std::string text;
  for (const uint8_t choice : choices) text += "<<<>>>ab \n/\xFF\xE4"[choice % 13];
  return text;
}

RC_GTEST_PROP(TagsCleanerLaw, is_the_regular_expression, (const std::vector<uint8_t>& choices)) {
  const std::string text = tag_soup(choices);
  static const std::regex kTag("<[^>]+>");
  RC_ASSERT(clean("\"tags_v1\"", text) == std::regex_replace(text, kTag, ""));
}

RC_GTEST_PROP(TagsCleanerLaw, twice_is_once, (const std::vector<uint8_t>& choices)) {
  const std::string once = clean("\"tags_v1\"", tag_soup(choices));
  RC_ASSERT(clean("\"tags_v1\"", once) == once);
}

TEST(MarkerCleaner, Literals) {
  EXPECT_EQ(clean(R"({"cut_after":"收录："})", "正文。收录：某刊 收录：另刊"), "正文。");
  EXPECT_EQ(clean(R"({"cut_after":"收录："})", "正文。"), "正文。");
  EXPECT_EQ(clean(R"({"cut_after":"收录："})", "收录：某刊"), "");
  EXPECT_EQ(clean(R"({"cut_before":"正文："})", "题目 正文：一 正文：二"), "一 正文：二");
  EXPECT_EQ(clean(R"({"cut_before":"正文："})", "题目"), "题目");
  EXPECT_EQ(clean(R"({"remove":"[ad]"})", "[ad]a[ad][ad]b[a"), "ab[a");
  EXPECT_EQ(clean(R"({"remove":"aa"})", "aaaaa"), "a");
  EXPECT_EQ(clean(R"({"remove":{"literal":".*"}})", "a.*b"), "ab");
}

TEST(MarkerCleaner, Patterns) {
  EXPECT_EQ(clean(R"({"cut_after":{"pattern":"收\\s*录\\s*[:：]"}})", "正文。收 录 : 某刊"), "正文。");
  EXPECT_EQ(clean(R"({"cut_before":{"pattern":"(?i)chapter \\d+\\n"}})", "Title\nCHAPTER 12\nIt was"), "It was");
  EXPECT_EQ(clean(R"({"remove":{"pattern":"\\[\\d+\\]"}})", "fact[1], other[23]."), "fact, other.");
  EXPECT_EQ(clean(R"({"remove":{"pattern":"(?m)^# .*$"}})", "# a\nb\n# c"), "\nb\n");
  EXPECT_EQ(clean(R"({"remove":{"pattern":"a.*b|a"}})", "1a2a3b4a5"), "145");
  // After 65,536 matches a search finds what has at most 1 KiB, wherever it begins.
  std::string notes;
  for (int i = 0; i < 70000; ++i) notes += "[1]";
  const std::string far(3000, '.');
  const std::string long_note = "[" + std::string(5000, 'x') + "]";
  EXPECT_EQ(clean(R"({"remove":{"pattern":"\\[[^\\]]*\\]"}})", notes + far + "[" + std::string(1000, 'x') + "]" + far + long_note),
            far + far + long_note);
  EXPECT_EQ(clean(R"({"remove":{"pattern":"\\[[^\\]]*\\]"}})", far + long_note), far);
  EXPECT_EQ(clean(R"({"remove":{"pattern":"\\b"}})", "one two"), "one two");  // matches nothing, in four places
  EXPECT_EQ(clean(R"({"remove":{"pattern":"[^a]"}})",
                  "\xE4\xB8\xAD"
                  "a\xFF"
                  "a"),
            "a\xFF"
            "a");
}

TEST(MarkerCleaner, Faults) {
  EXPECT_THAT(message_of(R"({"remove":""})"), HasSubstr("remove: the literal is empty"));
  EXPECT_THAT(message_of(R"({"cut_after":{"pattern":"ab(c"}})"),
              AllOf(HasSubstr("cut_after: pattern \"ab(c\": missing )"), HasSubstr("at byte 0")));
  EXPECT_THAT(message_of(R"({"cut_after":{"pattern":"ab[z-a]"}})"), HasSubstr("invalid character class range: z-a at byte 3"));
  EXPECT_THAT(message_of(R"({"remove":{"pattern":"(a)\\1"}})"), HasSubstr("\\1"));
  EXPECT_THAT(message_of(R"({"remove":{"pattern":"x*"}})"), HasSubstr("matches the empty text"));
  EXPECT_THAT(message_of(R"({"remove":{"regex":"x"}})"), HasSubstr("expected a text"));
  EXPECT_THAT(message_of(R"({"remove":7})"), HasSubstr("not 7"));
}

TEST(MakeCleaner, Faults) {
  EXPECT_THAT(message_of("tags_v1"), HasSubstr("is not JSON"));
  EXPECT_THAT(message_of("\"tags_v2\""), AllOf(HasSubstr("'tags_v2'"), HasSubstr("tags_v1, html_v1")));
  EXPECT_THAT(message_of("\"remove\""), HasSubstr("expected {\"remove\": ...}"));
  EXPECT_THAT(message_of(R"({"tags_v1":1})"), HasSubstr("takes no value"));
  EXPECT_THAT(message_of(R"({"upper":1})"), HasSubstr("'upper'"));
  EXPECT_THAT(message_of(R"({"remove":"a","cut_after":"b"})"), HasSubstr("one member"));
  EXPECT_THAT(message_of(R"({"lines_v1":"12"})"), HasSubstr("16 hexadecimal digits"));
  EXPECT_THAT(message_of(R"({"lines_v1":"0123456789abcdef"})"), HasSubstr("none of the 0 line lists given has the id 0123456789abcdef"));
}

TEST(MakeCleaner, DescriptionsAreCanonicalAndRoundTrip) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {" \"tags_v1\" ", "\"tags_v1\""},
      {R"({ "cut_after" : { "literal" : "\u6536\"" } })", R"({"cut_after":"收\""})"},
      {R"({"remove": {"pattern": "a\\d"}})", R"({"remove":{"pattern":"a\\d"}})"},
      {R"({"cut_before": "x"})", R"({"cut_before":"x"})"},
  };
  for (const auto& [json, canonical] : cases) {
    EXPECT_EQ(make_cleaner(json)->describe(), canonical);
    EXPECT_EQ(make_cleaner(canonical)->describe(), canonical);
  }
}

TEST(CleanChain, AppliesInOrder) {
  Cleaner::Scratch scratch;
  const auto chain = CleanChain::parse(R"([ "tags_v1", {"cut_after": "end"}, {"remove": "x"} ])");
  EXPECT_EQ(chain.size(), 3u);
  EXPECT_EQ(chain.clean("<b>xa</b>x<end>b end c", scratch), "ab ");
  EXPECT_EQ(chain.describe(), R"(["tags_v1",{"cut_after":"end"},{"remove":"x"}])");
  const auto turned = CleanChain::parse(R"([{"cut_after": "end"}, "tags_v1"])");
  EXPECT_EQ(turned.clean("<b>xa</b>x<end>b", scratch), "xax<");
}

TEST(CleanChain, EmptyGivesTheTextItself) {
  Cleaner::Scratch scratch;
  const std::string text = "as it was";
  EXPECT_EQ(CleanChain::parse("[]").clean(text, scratch).data(), text.data());
  EXPECT_EQ(CleanChain().describe(), "[]");
}

TEST(CleanChain, FaultsNameThePlace) {
  try {
    static_cast<void>(CleanChain::parse(R"(["tags_v1",{"remove":{"pattern":"("}}])"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("clean[1]: remove: pattern"), HasSubstr("missing )")));
  }
  EXPECT_THROW(CleanChain::parse("{}"), Error);
}

RC_GTEST_PROP(CleanChainLaw, is_one_after_another, (const std::vector<uint8_t>& choices)) {
  const std::vector<std::string> parts = {"\"tags_v1\"", R"({"remove":"a"})", R"({"cut_after":{"pattern":"b+\n"}})",
                                          R"({"cut_before":"<"})"};
  const std::string text = tag_soup(choices);
  std::string all;
  std::string step = text;
  for (const std::string& part : parts) {
    all += (all.empty() ? "[" : ",") + part;
    step = clean(part, step);
  }
  Cleaner::Scratch scratch;
  const auto chain = CleanChain::parse(all + "]");
  RC_ASSERT(chain.clean(text, scratch) == step);
  RC_ASSERT(chain.clean(text, scratch) == step);  // with a used scratch
}

RC_GTEST_PROP(CleanerLaw, is_total, (const std::string& bytes)) {
  for (const std::string json : {"\"tags_v1\"", R"({"cut_before":{"pattern":"[a-m]+"}})", R"({"cut_after":{"pattern":"\\W\\w"}})",
                                 R"({"remove":{"pattern":"."}})"}) {
    RC_ASSERT(clean(json, bytes).size() <= bytes.size());
  }
}

}  // namespace
}  // namespace neardup
