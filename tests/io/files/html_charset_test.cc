#include "io/files/html_charset.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(HtmlCharset, Prescan) {
  EXPECT_EQ(declared_charset("<meta charset=GBK>"), "gbk");
  EXPECT_EQ(declared_charset("<META\nCharset = ' Big5 '/>"), "big5");
  EXPECT_EQ(declared_charset("<meta content='text/html; charset=euc-kr' http-equiv=Content-Type>"), "euc-kr");
  EXPECT_EQ(declared_charset("<meta content='text/html; charset=euc-kr'>"), "");
  EXPECT_EQ(declared_charset("<!-- <meta charset=gbk> --><p title='<meta charset=big5>'>x<meta charset=utf-16be>"), "utf-8");
  EXPECT_EQ(declared_charset("<!--><meta charset=gbk>"), "gbk");
  EXPECT_EQ(declared_charset("<metadata charset=gbk>"), "");
  EXPECT_EQ(declared_charset(std::string(1010, ' ') + "<meta charset=gbk>"), "");
  for (const char* cut : {"<meta", "<meta charset", "<meta charset=", "<meta charset='gb", "<!", "</", "<a b='", "<", ""}) {
    EXPECT_TRUE(declared_charset(cut).size() <= 2) << cut;
  }
}

}  // namespace
}  // namespace neardup
