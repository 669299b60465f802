#include "io/json/field_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace neardup {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

TEST(FieldText, WhatJsonWantsEscaped) {
  EXPECT_EQ(json(""), "\"\"");
  EXPECT_EQ(json("plain id-1 ~"), "\"plain id-1 ~\"");
  EXPECT_EQ(json("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(json("\b\f\n\r\t\x01\x1F"), "\"\\b\\f\\n\\r\\t\\u0001\\u001f\"");
  EXPECT_EQ(json("\u4E2D\u00E9 \x7F"), "\"\u4E2D\u00E9 \x7F\"");
  EXPECT_EQ(json("\xFF"), "\"\uFFFD\"");
}

// Every byte at every place of texts around the length of a word: one that needs no escape stays, any other is found.
TEST(FieldText, NoByteIsOverlooked) {
  for (size_t size = 1; size <= 19; ++size) {
    for (size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, '!');
        text[at] = static_cast<char>(byte);
        const std::string made = json(text);
        const bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
        EXPECT_EQ(made == '"' + text + '"', plain) << size << " bytes, byte " << byte << " at " << at;
        EXPECT_EQ(made.substr(0, 1 + at), '"' + std::string(at, '!'));
        EXPECT_EQ(made.substr(made.size() - (size - at)), std::string(size - at - 1, '!') + '"');
      }
    }
  }
}

std::string slowly_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (c == '\n') {
      out += "\\n";
    } else {
      out.push_back(c);
    }
  }
  return '"' + out + '"';
}

TEST(FieldText, EscapesEqualTheSlowTwin) {
  const std::string_view parts[] = {"a", "bc", "defghijk", "\"", "\\", "\n", "\u4E2D", "\u00E9", "\U0001F600", "\x7F"};
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t left = random() % 12; left > 0; --left) text += parts[random() % std::size(parts)];
    ASSERT_EQ(json(text), slowly_escaped(text));
    std::string out;
    append_valid_json_string(text, out);
    ASSERT_EQ(out, slowly_escaped(text));
  }
}

}  // namespace
}  // namespace neardup
