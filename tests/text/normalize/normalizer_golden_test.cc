// Goldens made by an independent source (make_golden.py), and a few written by hand for malformed bytes.
#include <gtest/gtest.h>

#include <string>

#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"

namespace neardup {
namespace {

struct Golden {
  std::string_view text;
  std::string_view lower;
  std::string_view casefold;
};

constexpr Golden kGoldens[] = {
#include "text/normalizer_golden.inc"
};

std::string golden_run(const Normalizer& normalizer, std::string_view text) {
  RawVector<char> out;
  std::string piece;
  normalizer.normalize(text, out, piece);
  return std::string(view_of(out));
}

TEST(NormalizerGolden, fast) {
  const auto lower = make_normalizer(NormalizerKind::kLower);
  const auto casefold = make_normalizer(NormalizerKind::kCasefold);
  for (const Golden& golden : kGoldens) {
    EXPECT_EQ(golden_run(*lower, golden.text), golden.lower) << golden.text;
    EXPECT_EQ(golden_run(*casefold, golden.text), golden.casefold) << golden.text;
  }
}

TEST(NormalizerGolden, reference) {
  const auto lower = make_reference_normalizer(NormalizerKind::kLower);
  const auto casefold = make_reference_normalizer(NormalizerKind::kCasefold);
  for (const Golden& golden : kGoldens) {
    EXPECT_EQ(golden_run(*lower, golden.text), golden.lower) << golden.text;
    EXPECT_EQ(golden_run(*casefold, golden.text), golden.casefold) << golden.text;
  }
}

TEST(NormalizerGolden, malformed_bytes_read_as_replacement_characters) {
  const auto lower = make_normalizer(NormalizerKind::kLower);
  EXPECT_EQ(golden_run(*lower, "A\xFF B\xE4\xB8"), "a\xEF\xBF\xBD b\xEF\xBF\xBD");
  EXPECT_EQ(golden_run(*lower, std::string_view("\0A\0", 3)), std::string_view("\0a\0", 3));
  EXPECT_EQ(golden_run(*lower, "\xED\xA0\x80\xCC\x81"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xCC\x81");
}

}  // namespace
}  // namespace neardup
