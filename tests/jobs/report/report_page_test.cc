#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

#include "neardup/tools/run_report.h"

namespace neardup {
namespace {

constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"data\">";

// What a browser takes as the data: up to the first end tag.
std::string data_of(const std::string& page) {
  const size_t begin = page.find(kBegin) + kBegin.size();
  return page.substr(begin, page.find("</", begin) - begin);
}

size_t times(std::string_view text, std::string_view wanted) {
  size_t found = 0;
  for (size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) ++found;
  return found;
}

std::string unescaped(std::string text) {
  constexpr std::string_view kEscape = "\\u003c";
  for (size_t at = text.find(kEscape); at != std::string::npos; at = text.find(kEscape, at + 1)) text.replace(at, kEscape.size(), "<");
  return text;
}

TEST(ReportPage, PutsTheDataIntoOneElement) {
  const std::string page = report_page(R"({"format":1,"version":"€ 中文"})");
  EXPECT_EQ(times(page, kBegin), 1);
  EXPECT_EQ(data_of(page), R"({"format":1,"version":"€ 中文"})");
  EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, ::testing::EndsWith("</html>\n"));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("/* data */")));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("/* styles */")));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("/* scripts */")));
}

TEST(ReportPage, NamesNoAddressToFetch) {
  const std::string page = report_page("{}");
  EXPECT_THAT(page, ::testing::HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr(" src=")));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("url(")));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("@import")));
}

TEST(ReportPage, TextsCannotEndTheElement) {
  const std::string page = report_page(R"(["</script><b>","<!--","<script>","a<b","<"])");
  EXPECT_EQ(times(page, "</script"), times(report_page("[]"), "</script"));
  EXPECT_EQ(times(page, "<!--"), times(report_page("[]"), "<!--"));
  EXPECT_EQ(data_of(page), R"(["\u003c/script>\u003cb>","\u003c!--","\u003cscript>","a\u003cb","\u003c"])");
}

RC_GTEST_PROP(ReportPageLaw, KeepsAllBytes, (const std::string& bytes)) {
  RC_PRE(bytes.find("\\u003c") == std::string::npos);
  const std::string data = data_of(report_page(bytes));
  RC_ASSERT(data.find('<') == std::string::npos);
  RC_ASSERT(unescaped(data) == bytes);
}

}  // namespace
}  // namespace neardup
