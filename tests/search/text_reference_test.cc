#include "search/text_reference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace neardup {
namespace {

using namespace std::string_literals;

RC_GTEST_PROP(TextReferences, ARecordGivesTheReference, (uint64_t offset, uint64_t length, uint64_t hash, const std::string& source)) {
  const uint32_t shift = *rc::gen::inRange(0, 64);
  const TextReference written{.source = source, .offset = offset >> shift, .length = length >> (63 - shift), .hash = hash};
  std::string record = "before";
  append_reference(written, record);
  TextReference parsed;
  RC_ASSERT(parse_reference(std::string_view(record).substr(6), parsed));
  RC_ASSERT(parsed == written);
}

TEST(TextReferences, BytesOfARecord) {
  std::string record;
  append_reference({.source = "lines\0text\0/a"s, .offset = 300, .length = 127, .hash = 0x0807060504030201}, record);
  EXPECT_EQ(record, "\1\2\3\4\5\6\7\10\xAC\2\x7Flines\0text\0/a"s);
}

TEST(TextReferences, OtherBytesAreRefused) {
  TextReference parsed;
  EXPECT_FALSE(parse_reference("", parsed));
  EXPECT_FALSE(parse_reference("1234567", parsed));
  EXPECT_FALSE(parse_reference("12345678", parsed));
  EXPECT_FALSE(parse_reference("12345678\1", parsed));
  EXPECT_FALSE(parse_reference("12345678\1\x80", parsed));
  EXPECT_TRUE(parse_reference("12345678\1\1", parsed));
  EXPECT_TRUE(parse_reference("12345678\1\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", parsed));
  EXPECT_EQ(parsed.length, UINT64_MAX);
  EXPECT_FALSE(parse_reference("12345678\1\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\2", parsed)) << "65 bits";
  EXPECT_FALSE(parse_reference("12345678\1\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1", parsed));
}

}  // namespace
}  // namespace neardup
