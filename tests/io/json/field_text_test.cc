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

}  // namespace
}  // namespace neardup
