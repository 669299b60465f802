// Laws: the form by its definition is the form that ICU makes, and the lower-case sigma is ICU's.
#include "text/normalize/unicode_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/casemap.h>

#include <random>
#include <string>

#include "text/normalize/final_sigma.h"
#include "text/text_generators.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

const icu::Normalizer2& form(bool casefold) {
  UErrorCode status = U_ZERO_ERROR;
  return *(casefold ? icu::Normalizer2::getNFKCCasefoldInstance(status) : icu::Normalizer2::getNFKCInstance(status));
}

std::string by_definition(bool casefold, std::string_view text) {
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  compose_by_definition(form(casefold), text, sink);
  return out;
}

std::string by_icu(bool casefold, const std::string& text) {
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  form(casefold).normalizeUTF8(0, text, sink, nullptr, status);
  EXPECT_TRUE(U_SUCCESS(status));
  return out;
}

TEST(CanonicalForm, literal_values) {
  // Classes 220 and 230: sorted, and what is next to its base composes.
  EXPECT_EQ(by_definition(false, "a\u0301\u0316\u0301\u0316"), "\u00E1\u0316\u0316\u0301");
  EXPECT_EQ(by_definition(false, "\u0316\u0301x"), "\u0316\u0301x");
  EXPECT_EQ(by_definition(false, "\u1100\u1161\u11A8\u1161"), "\uAC01\u1161");
  EXPECT_EQ(by_definition(true, "A\u00AD\u0345\u0301"), "a\u03AF");  // U+0345 becomes a letter before marks are sorted
}

RC_GTEST_PROP(CanonicalForm, is_that_of_icu, ()) {
  std::string text;
  repair_utf8(*testing::text(), text);
  for (const bool casefold : {false, true}) RC_ASSERT(by_definition(casefold, text) == by_icu(casefold, text));
}

TEST(CanonicalForm, is_that_of_icu_for_sequences_of_nasty_code_points) {
  const auto nasty = testing::nasty_code_point();
  rc::Random random(11);
  std::string text;
  for (int round = 0; round < 40000; ++round) {
    if (round % 9 == 0) text.clear();
    text += nasty(random.split(), 0).value();
    for (const bool casefold : {false, true}) {
      ASSERT_EQ(by_definition(casefold, text), by_icu(casefold, text)) << ::testing::PrintToString(text);
    }
  }
}

TEST(CanonicalForm, is_that_of_icu_for_every_code_point) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || (c >= 0x30000 && c < 0xE0000) || c >= 0xE1000) continue;
    const std::string text = testing::utf8({c, U'\u0301', U'\u0316', c, U'\u0308', U'a', c, c});
    for (const bool casefold : {false, true}) ASSERT_EQ(by_definition(casefold, text), by_icu(casefold, text)) << static_cast<uint32_t>(c);
  }
}

TEST(CanonicalForm, long_segments) {
  std::string marks = "a";
  for (int i = 0; i < 63; ++i) marks += "\u0301";
  EXPECT_FALSE(has_long_segment(form(false), marks));
  EXPECT_TRUE(has_long_segment(form(false), marks + "\u0316"));
  EXPECT_FALSE(has_long_segment(form(false), marks + "a" + marks));
}

// Sigmas among what is cased, what case ignores, and what is neither, with damaged bytes.
TEST(FinalSigma, is_that_of_icu) {
  const std::u32string pool = U"\u03A3\u03A3\u03A3aA\u0301\u2019. \u4E2D\u0345\u00AD\U00010400";
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t length = random() % 9; length > 0; --length) append_utf8(pool[random() % pool.size()], text);
    if (!text.empty() && random() % 4 == 0) text[random() % text.size()] = static_cast<char>(random());
    std::string repaired;
    repair_utf8(text, repaired);
    if (repaired.find('\xCF') != std::string::npos) continue;  // damage may make a small sigma
    std::string lower;
    icu::StringByteSink<std::string> sink(&lower);
    UErrorCode status = U_ZERO_ERROR;
    icu::CaseMap::utf8ToLower("", 0, repaired, sink, nullptr, status);
    std::string icu_sigmas;
    for (size_t at = 0; at < lower.size(); ++at) {
      if (lower[at] == '\xCF' && (lower[at + 1] == '\x82' || lower[at + 1] == '\x83')) icu_sigmas += lower[at + 1];
    }
    std::string ours;
    for (size_t at = text.find(kCapitalSigmaUtf8); at != std::string::npos; at = text.find(kCapitalSigmaUtf8, at + 2)) {
      ours += lower_sigma(text, at) == 0x3C2 ? '\x82' : '\x83';
    }
    ASSERT_EQ(ours, icu_sigmas) << ::testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace neardup
