// Laws: the fast normalizer gives the bytes of its slow twin, for both kinds and all kernels.
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <string>

#include "text/text_generators.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr NormalizerKind kKinds[] = {NormalizerKind::kCasefold, NormalizerKind::kLower};

std::string run(const Normalizer& normalizer, std::string_view text) {
  const std::string before = "what was there before";
  RawVector<char> out(before.begin(), before.end());
  std::string piece = "and here";
  normalizer.normalize(text, out, piece);
  return std::string(view_of(out));
}

struct Twins {
  explicit Twins(NormalizerKind kind, const kernels::Kernels& kernels = kernels::kernels())
      : fast(make_normalizer(kind, kernels)), slow(make_reference_normalizer(kind)) {}
  std::unique_ptr<const Normalizer> fast;
  std::unique_ptr<const Normalizer> slow;
};

RC_GTEST_PROP(NormalizerLaw, fast_is_slow, ()) {
  const std::string text = *testing::text();
  for (const NormalizerKind kind : kKinds) {
    const std::string expected = run(*make_reference_normalizer(kind), text);
    RC_ASSERT(is_valid_utf8(expected));
    for (const kernels::Kernels* kernels : testing::all_kernels()) {
      RC_ASSERT(run(*make_normalizer(kind, *kernels), text) == expected);
    }
  }
}

// Short sequences of nasty code points, many more of them than the general law tries.
TEST(NormalizerLaw, fast_is_slow_for_sequences_of_nasty_code_points) {
  const auto nasty = testing::nasty_code_point();
  for (const NormalizerKind kind : kKinds) {
    const Twins twins(kind);
    std::string text;
    rc::Random random(7);
    for (int round = 0; round < 100000; ++round) {
      if (round % 7 == 0) text.clear();
      text += nasty(random.split(), 0).value();
      ASSERT_EQ(run(*twins.fast, text), run(*twins.slow, text)) << ::testing::PrintToString(text);
    }
  }
}

// Many marks on one letter take another way than few.
TEST(NormalizerLaw, fast_is_slow_for_many_marks_in_any_order) {
  const std::u32string marks = U"\u0301\u0316\u0327\u0338\u0345\u05B0\u3099\u302A\u0F71\u0344\u0301\u0316\u1161\u11A8\u200D\u00AD";
  const std::u32string others = U"aS\u03A3\u1100\u4E2D \u3000\u00A8\uFDFA\uFB01\u0130";
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t length = random() % 400; length > 0; --length) {
      const std::u32string& from = random() % 50 == 0 ? others : marks;
      append_utf8(from[random() % from.size()], text);
    }
    for (const NormalizerKind kind : kKinds) {
      ASSERT_EQ(run(*make_normalizer(kind), text), run(*make_reference_normalizer(kind), text)) << ::testing::PrintToString(text);
    }
  }
}

// Every code point alone, after and before what composes or separates: the table of images has no wrong row.
TEST(NormalizerLaw, fast_is_slow_for_every_code_point) {
  const std::u32string around = U"a\u0301 \u4E2D\u30AB";
  for (const NormalizerKind kind : kKinds) {
    const Twins twins(kind);
    std::string text;
    for (char32_t c = 0; c < 0x110000; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      if (c >= 0x40000 && c < 0xE0000 && c % 64 != 0) continue;  // unassigned planes
      // A chain of neighbours around c, in one text: sigma aside, which would send all of it to the slow twin.
      for (const char32_t neighbour : around) {
        append_utf8(neighbour, text);
        append_utf8(c, text);
      }
      append_utf8(0x0301, text);
      text += "H";
      append_utf8(c, text);
      append_utf8(0x3099, text);
      text += ' ';
      if (c % 8 != 7) continue;
      ASSERT_EQ(run(*twins.fast, text), run(*twins.slow, text)) << "near code point " << static_cast<uint32_t>(c);
      text.clear();
    }
  }
}

TEST(NormalizerLaw, fast_is_slow_around_the_ends_of_blocks) {
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    for (const NormalizerKind kind : kKinds) {
      const Twins twins(kind, *kernels);
      for (const std::string middle :
           {" ", "  ", "\n", "\r\n", " \n ", "\xC3\x89", "\xCC\x81", "\xE3\x80\x80", "\xE4\xB8\xAD", "\xFF", ""}) {
        for (size_t length = 0; length < 200; ++length) {
          const std::string text = std::string(length, 'A') + middle + "B" + middle + "C";
          ASSERT_EQ(run(*twins.fast, text), run(*twins.slow, text)) << length << " and " << ::testing::PrintToString(middle);
          ASSERT_EQ(run(*twins.fast, text + middle), run(*twins.slow, text + middle));
        }
      }
    }
  }
}

TEST(NormalizerLaw, fast_is_slow_for_false_three_byte_sequences) {
  for (const NormalizerKind kind : kKinds) {
    const Twins twins(kind);
    for (const std::string& text : testing::false_three_byte_sequences()) {
      ASSERT_EQ(run(*twins.fast, text), run(*twins.slow, text)) << ::testing::PrintToString(text);
    }
  }
}

TEST(NormalizerLaw, output_may_grow) {
  const std::string ligature = testing::utf8(U"\uFDFA");      // 18 code points
  const std::string capital = testing::utf8(U"\u023A");       // two bytes become three
  const std::string square = testing::utf8(U"\u337F\u33C2");  // table expansions
  for (const NormalizerKind kind : kKinds) {
    const Twins twins(kind);
    for (const std::string& unit : {ligature, capital, square, std::string("\xFF"), "a" + ligature, ligature + "\n"}) {
      std::string text;
      for (int i = 0; i < 5000; ++i) text += unit;
      ASSERT_EQ(run(*twins.fast, text), run(*twins.slow, text));
    }
  }
}

RC_GTEST_PROP(NormalizerLaw, white_space_never_leads_trails_or_repeats, ()) {
  const std::string text = *testing::text();
  for (const NormalizerKind kind : kKinds) {
    const std::string out = run(*make_normalizer(kind), text);
    RC_ASSERT(out.find("  ") == std::string::npos);
    RC_ASSERT(!out.starts_with(' '));
    RC_ASSERT(!out.ends_with(' '));
  }
}

}  // namespace
}  // namespace neardup
