// Laws: none_v1 and lower_compact_v1 give the bytes of their slow twin, with all kernels.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text/normalize/normalizers.h"
#include "text/utf8/utf8.h"
#include "text_generators.h"

namespace neardup {
namespace {

std::string run(const Normalizer& normalizer, std::string_view text) {
  const std::string before = "what was there before";
  RawVector<char> out(before.begin(), before.end());
  std::string piece = "and here";
  normalizer.normalize(text, out, piece);
  return std::string(view_of(out));
}

TEST(LowerCompact, LiteralValues) {
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    const auto normalizer = make_lower_compact_normalizer(*kernels);
    EXPECT_EQ(run(*normalizer, "  Hello,\tWORLD!\r\n"), "hello,world!");
    EXPECT_EQ(run(*normalizer, "\u3000\u4E2D \u6587\uFF21\uFF3A\uFF3B\u201C\u2028x\u00B7\u00A0\u2126"),
              "\u4E2D\u6587\uFF41\uFF5A\uFF3B\u201Cx\u00B7\u03C9");
    EXPECT_EQ(run(*normalizer, "\xE4\xB8"), "\uFFFD");
    EXPECT_EQ(run(*normalizer, "\xE4\xB8 A"), "\uFFFDa");
    EXPECT_EQ(run(*normalizer, "A\x80 \xEF\xBC\xA1\xEF\xBC"), "a\uFFFD\uFF41\uFFFD");
  }
}

// Every code point at every place of a block of the kernels.
TEST(LowerCompact, FastIsSlowForEveryCodePoint) {
  const auto slow = make_reference_normalizer(NormalizerKind::kLowerCompact);
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    const auto fast = make_lower_compact_normalizer(*kernels);
    std::string text;
    for (char32_t c = 0; c < 0x20000; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      append_utf8(c, text);
      text.append(c % 5, 'Q');
      append_utf8(0x4E00 + c % 0x5000, text);
      if (c % 32 != 31) continue;
      ASSERT_EQ(run(*fast, text), run(*slow, text)) << kernels->name << ", near code point " << static_cast<uint32_t>(c);
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
    const std::string expected = run(*slow, text);
    for (const kernels::Kernels* kernels : testing::all_kernels()) {
      ASSERT_EQ(run(*make_lower_compact_normalizer(*kernels), text), expected) << kernels->name << ": " << ::testing::PrintToString(text);
    }
  }
}

}  // namespace
}  // namespace neardup
