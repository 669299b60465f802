#include "text/utf8/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/text_generators.h"

namespace neardup {
namespace {

std::string repaired(std::string_view bytes, uint64_t expected_count) {
  std::string out;
  EXPECT_EQ(repair_utf8(bytes, out), expected_count);
  return out;
}

const std::string kMark = "\xEF\xBF\xBD";

TEST(Utf8, repairs_one_mark_per_maximal_subpart) {
  // The rows of table 3-8 to 3-11 of the standard's section 3.9.
  EXPECT_EQ(repaired("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", 8), kMark + kMark + kMark + kMark + kMark + kMark + kMark + kMark + "A");
  EXPECT_EQ(repaired("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", 8), kMark + kMark + kMark + kMark + kMark + kMark + kMark + kMark + "A");
  EXPECT_EQ(repaired("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", 7), kMark + kMark + kMark + kMark + kMark + "A" + kMark + kMark + "B");
  EXPECT_EQ(repaired("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 4), kMark + kMark + kMark + kMark + "A");
}

TEST(Utf8, cut_sequences_at_the_end_are_one_subpart) {
  EXPECT_EQ(repaired("a\xC3", 1), "a" + kMark);
  EXPECT_EQ(repaired("\xE4\xB8", 1), kMark);
  EXPECT_EQ(repaired("\xF0\x9F\x98", 1), kMark);
  EXPECT_EQ(repaired("", 0), "");
}

TEST(Utf8, bounds_of_every_length_are_valid) {
  for (const char32_t c : std::u32string{0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF}) {
    const std::string bytes = testing::utf8({c});
    EXPECT_TRUE(is_valid_utf8(bytes));
    const Decoded decoded = decode_utf8(bytes, 0);
    EXPECT_EQ(decoded.code_point, c);
    EXPECT_EQ(decoded.length, bytes.size());
    EXPECT_TRUE(decoded.valid);
  }
  EXPECT_FALSE(is_valid_utf8("\xC1\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xE0\x9F\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_valid_utf8("\xF0\x8F\xBF\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xF5\x80\x80\x80"));
}

RC_GTEST_PROP(Utf8Law, repair_is_decoding_one_by_one, ()) {
  const std::string bytes = *testing::text();
  std::string expected;
  uint64_t malformed = 0;
  for (size_t at = 0; at < bytes.size();) {
    const Decoded decoded = decode_utf8(bytes, at);
    RC_ASSERT(decoded.length >= 1);
    RC_ASSERT(at + decoded.length <= bytes.size());
    append_utf8(decoded.code_point, expected);
    malformed += decoded.valid ? 0 : 1;
    at += decoded.length;
  }
  std::string out = "old";
  RC_ASSERT(repair_utf8(bytes, out) == malformed);
  RC_ASSERT(out == expected);
  RC_ASSERT(is_valid_utf8(bytes) == (malformed == 0));
  RC_ASSERT(is_valid_utf8(out));
}

}  // namespace
}  // namespace neardup
