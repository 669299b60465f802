// Laws: none_v1 and lower_compact_v1 give the bytes of their slow twin, and that is what the definition says, with all kernels.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <string>

#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/text_generators.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr NormalizerKind kPlainKinds[] = {NormalizerKind::kNone, NormalizerKind::kLowerCompact};

std::string plain_run(const Normalizer& normalizer, std::string_view text) {
  const std::string before = "what was there before";
  RawVector<char> out(before.begin(), before.end());
  std::string piece = "and here";
  normalizer.normalize(text, out, piece);
  return std::string(view_of(out));
}

std::string compact(std::string_view text) {
  return plain_run(*make_normalizer(NormalizerKind::kLowerCompact), text);
}

RC_GTEST_PROP(PlainNormalizerLaw, fast_is_slow, ()) {
  const std::string text = *testing::text();
  for (const NormalizerKind kind : kPlainKinds) {
    const std::string made = plain_run(*make_normalizer(kind), text);
    RC_ASSERT(made == plain_run(*make_reference_normalizer(kind), text));
    RC_ASSERT(is_valid_utf8(made));
  }
}

RC_GTEST_PROP(PlainNormalizerLaw, none_repairs_and_does_nothing_else, ()) {
  const std::string text = *testing::text();
  std::string repaired;
  repair_utf8(text, repaired);
  RC_ASSERT(plain_run(*make_normalizer(NormalizerKind::kNone), text) == repaired);
}

RC_GTEST_PROP(PlainNormalizerLaw, compact_leaves_no_white_space, ()) {
  const std::string made = compact(*testing::text());
  for (size_t at = 0; at < made.size();) {
    const Decoded decoded = decode_utf8(made, at);
    RC_ASSERT(!is_white_space(decoded.code_point));
    at += decoded.length;
  }
}

TEST(PlainNormalizerLaw, fast_is_slow_for_sequences_of_nasty_code_points) {
  const auto nasty = testing::nasty_code_point();
  for (const NormalizerKind kind : kPlainKinds) {
    const auto fast = make_normalizer(kind);
    const auto slow = make_reference_normalizer(kind);
    std::string text;
    rc::Random random(11);
    for (int round = 0; round < 50'000; ++round) {
      if (round % 7 == 0) text.clear();
      text += nasty(random.split(), 0).value();
      ASSERT_EQ(plain_run(*fast, text), plain_run(*slow, text)) << ::testing::PrintToString(text);
    }
  }
}

// Every code point with neighbours; the two whose lower case depends on what is around them, or is longer, in texts of their own.
TEST(PlainNormalizerLaw, fast_is_slow_for_every_code_point) {
  for (const NormalizerKind kind : kPlainKinds) {
    const auto fast = make_normalizer(kind);
    const auto slow = make_reference_normalizer(kind);
    std::string text;
    for (char32_t c = 0; c < 0x110000; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      if (c == 0x0130 || c == 0x03A3) {
        for (const char* around : {"", "a", "A\u0301", " ", "\u4E2D"}) {
          const std::string alone = around + testing::utf8({c}) + around;
          ASSERT_EQ(plain_run(*fast, alone), plain_run(*slow, alone)) << ::testing::PrintToString(alone);
        }
        continue;
      }
      for (const char32_t neighbour : U"aZ \u0301\u4E2D") {
        append_utf8(c, text);
        append_utf8(neighbour, text);
      }
      if (c % 64 != 63) continue;
      ASSERT_EQ(plain_run(*fast, text), plain_run(*slow, text)) << "near code point " << static_cast<uint32_t>(c);
      text.clear();
    }
  }
}

TEST(PlainNormalizer, FalseThreeByteSequencesAreRepaired) {
  for (const NormalizerKind kind : kPlainKinds) {
    for (const std::string& text : testing::false_three_byte_sequences()) {
      ASSERT_EQ(plain_run(*make_normalizer(kind), text), plain_run(*make_reference_normalizer(kind), text))
          << ::testing::PrintToString(text);
    }
  }
}

// Written by hand from the definition: the default lower-case mapping of the Unicode standard, white space removed.
TEST(PlainNormalizer, LowerCompactIsWhatItSays) {
  EXPECT_EQ(compact(""), "");
  EXPECT_EQ(compact(" \t\r\n\u3000\u00A0\u2028"), "");
  EXPECT_EQ(compact("Hello, World"), "hello,world");
  EXPECT_EQ(compact("\u4E2D \u6587\u3000AB\n1"), "\u4E2D\u6587ab1");
  EXPECT_EQ(compact("\uFF21\uFF22 \uFB01"), "\uFF41\uFF42\uFB01") << "no compatibility form";
  EXPECT_EQ(compact("E\u0301"), "e\u0301") << "no composition";
  EXPECT_EQ(compact("\u0130"), "i\u0307");
  EXPECT_EQ(compact("\u039F\u0394\u039F\u03A3 X"), "\u03BF\u03B4\u03BF\u03C2x") << "final sigma is decided before white space goes";
  EXPECT_EQ(compact("\u03A3X"), "\u03C3x");
  EXPECT_EQ(compact("\u023A\u023A\u023A"), "\u2C65\u2C65\u2C65") << "the lower case is longer";
  EXPECT_EQ(compact("a\xFF z"), "a\uFFFDz");
  EXPECT_EQ(compact("a\xE4\xB8 z"), "a\uFFFDz");
}

TEST(LowerCompact, LiteralValues) {
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    const auto normalizer = make_normalizer(NormalizerKind::kLowerCompact, *kernels);
    EXPECT_EQ(plain_run(*normalizer, "  Hello,\tWORLD!\r\n"), "hello,world!");
    EXPECT_EQ(plain_run(*normalizer, "\u3000\u4E2D \u6587\uFF21\uFF3A\uFF3B\u201C\u2028x\u00B7\u00A0\u2126"),
              "\u4E2D\u6587\uFF41\uFF5A\uFF3B\u201Cx\u00B7\u03C9");
    EXPECT_EQ(plain_run(*normalizer, "\xE4\xB8"), "\uFFFD");
    EXPECT_EQ(plain_run(*normalizer, "\xE4\xB8 A"), "\uFFFDa");
    EXPECT_EQ(plain_run(*normalizer, "A\x80 \xEF\xBC\xA1\xEF\xBC"), "a\uFFFD\uFF41\uFFFD");
  }
}

// Every code point at every place of a block of the kernels.
TEST(LowerCompact, FastIsSlowForEveryCodePoint) {
  const auto slow = make_reference_normalizer(NormalizerKind::kLowerCompact);
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    const auto fast = make_normalizer(NormalizerKind::kLowerCompact, *kernels);
    std::string text;
    for (char32_t c = 0; c < 0x20000; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      append_utf8(c, text);
      text.append(c % 5, 'Q');
      append_utf8(0x4E00 + c % 0x5000, text);
      if (c % 32 != 31) continue;
      ASSERT_EQ(plain_run(*fast, text), plain_run(*slow, text)) << kernels->name << ", near code point " << static_cast<uint32_t>(c);
      text.clear();
    }
  }
}

// Mostly what the kernels take, with what they do not take here and there, cut at any byte, with damaged bytes.
TEST(LowerCompact, FastIsSlowForCutAndDamagedTexts) {
  const auto slow = make_reference_normalizer(NormalizerKind::kLowerCompact);
  std::mt19937_64 random(11);
  const std::u32string known = U"aZ \u4E2D\u3000\u3002\uFF0C\uFF21\uFF3A\u201C\u2026\u00B7\uC0C0\uFEFF\uFFFD\u9FFF";
  const std::u32string other =
      U"\u0130\u03A3\u03A3\u0301\u2019\u00E9\u00C9\u2028\u212A\u0416\u00A0\uA640\uAC00\uD7A3\U0001F600\U00010400\u2160\u1680";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t length = random() % 120; length > 0; --length) {
      const std::u32string& from = random() % (round % 2 == 0 ? 40 : 2) == 0 ? other : known;
      append_utf8(from[random() % from.size()], text);
    }
    if (!text.empty() && random() % 2 == 0) text.resize(random() % text.size());
    if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
    const std::string expected = plain_run(*slow, text);
    for (const kernels::Kernels* kernels : testing::all_kernels()) {
      ASSERT_EQ(plain_run(*make_normalizer(NormalizerKind::kLowerCompact, *kernels), text), expected)
          << kernels->name << ": " << ::testing::PrintToString(text);
    }
  }
}

}  // namespace
}  // namespace neardup
