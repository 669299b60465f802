#include "neardup/tools/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace neardup {
namespace {

TEST(Printable, TextOfAnyScriptIsUnchanged) {
  for (const char* text : {"", "plain text, with \\ and \"quotes\"", "今天天气很好", "Ünïcödé e\u0301", "🦆 👩‍👩‍👧"}) {
    for (const Escapes escapes : {Escapes::kLine, Escapes::kLines, Escapes::kJson}) EXPECT_EQ(printable(text, escapes), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\x1b]0;pwned\x07"
                      "b"),
            "a\\x1b]0;pwned\\x07b");
  EXPECT_EQ(printable("\x7f\u0080\u009b"
                      "31m"),
            "\\x7f\\u0080\\u009b31m");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("a\nb\tc\rd", Escapes::kLines), "a\nb\tc\\rd");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, DirectionsAndSeparatorsAreEscaped) {
  EXPECT_EQ(printable("kept\u202elnosj.exe"), "kept\\u202elnosj.exe");
  EXPECT_EQ(printable("\u061c\u200e\u200f\u2028\u2029\u2066\u2069"), "\\u061c\\u200e\\u200f\\u2028\\u2029\\u2066\\u2069");
}

TEST(Printable, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "an overlong zero";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xe4\xbb"), "\\xe4\\xbb") << "the end is missing";
  EXPECT_EQ(printable("\x9b"), "\\x9b");
}

TEST(Printable, JsonStaysJson) {
  EXPECT_EQ(printable("{\"id\":\"\x1b\u009b\u202e\xff\"}\n", Escapes::kJson), "{\"id\":\"\\u001b\\u009b\\u202e\\\\xff\"}\n");
}

TEST(Printable, AnUnfinishedCharacterIsFound) {
  EXPECT_EQ(unfinished_character(""), 0u);
  EXPECT_EQ(unfinished_character("abc"), 0u);
  EXPECT_EQ(unfinished_character("a\xe4\xbb\x8a"), 0u);
  EXPECT_EQ(unfinished_character("a\xe4\xbb"), 2u);
  EXPECT_EQ(unfinished_character("a\xf0"), 1u);
  EXPECT_EQ(unfinished_character("\x80\x80\x80\x80"), 0u) << "no UTF-8: nothing to wait for";
}

RC_GTEST_PROP(Printable, WhatItGivesIsHarmless, (const std::string& bytes)) {
  const std::string shown = printable(bytes);
  RC_ASSERT(std::ranges::all_of(shown, [](unsigned char c) { return c >= 0x20 && c != 0x7F; }));
  RC_ASSERT(printable(shown) == shown);
}

}  // namespace
}  // namespace neardup
