// Laws of fold_chinese: what it takes has the form that the slow twin of the normalizers gives it, and the normalizer around it gives the
// slow twin's bytes for whatever it stops at. Every code point is tried, so nothing here trusts a list of ranges.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "text/normalize/normalizer.h"
#include "text/normalize/normalizer_reference.h"
#include "text/text_generators.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr NormalizerKind kFormKinds[] = {NormalizerKind::kCasefold, NormalizerKind::kLower};

std::string form_of(const Normalizer& normalizer, std::string_view text) {
  RawVector<char> out;
  std::string piece;
  normalizer.normalize(text, out, piece);
  return std::string(view_of(out));
}

// The slow twins of both kinds, which agree on what the kernel takes.
struct Judges {
  std::unique_ptr<const Normalizer> casefold = make_reference_normalizer(NormalizerKind::kCasefold);
  std::unique_ptr<const Normalizer> lower = make_reference_normalizer(NormalizerKind::kLower);
};

struct Taken {
  size_t read;
  std::string made;
};

// In buffers of their own, so that sanitizers see what is read or written beyond them.
Taken take(const kernels::Kernels& kernels, std::string_view text) {
  const std::vector<char> in(text.begin(), text.end());
  std::vector<char> out(text.size() + kernels::kTextBlock);
  const kernels::Folded folded = kernels.fold_chinese(in.data(), in.size(), out.data());
  return {folded.read, std::string(out.data(), folded.written)};
}

std::vector<const kernels::Kernels*> kernels_for_chinese() {
  std::vector<const kernels::Kernels*> all = testing::all_kernels();
  std::erase_if(all, [](const kernels::Kernels* kernels) { return kernels->fold_chinese == nullptr; });
  return all;
}

// What was taken is the form of that part alone, which ends with a whole character that is not white space.
void check_taken(const kernels::Kernels& kernels, const Judges& judges, std::string_view text) {
  const Taken taken = take(kernels, text);
  ASSERT_LE(taken.read, text.size());
  const std::string_view part = text.substr(0, taken.read);
  ASSERT_EQ(taken.made, form_of(*judges.casefold, part)) << kernels.name << ' ' << ::testing::PrintToString(text);
  ASSERT_EQ(taken.made, form_of(*judges.lower, part)) << kernels.name << ' ' << ::testing::PrintToString(text);
  if (taken.read == 0) return;
  size_t last = taken.read - 1;
  while ((static_cast<uint8_t>(text[last]) & 0xC0) == 0x80) --last;
  const Decoded decoded = decode_utf8(text, last);
  ASSERT_TRUE(decoded.valid && last + decoded.length == taken.read && !is_white_space(decoded.code_point))
      << ::testing::PrintToString(text);
}

// In ascending order.
std::u32string taken_alone(const kernels::Kernels& kernels) {
  std::u32string taken;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    if (take(kernels, testing::utf8({c})).read != 0) taken += c;
  }
  return taken;
}

// One of each kind that a kernel may know, and the ends of the ranges.
constexpr std::u32string_view kKnown =
    U"aZ09@[`{<=>~\x7F\u00B7\u2012\u2014\u2016\u2018\u201C\u201D\u2023\u2026\u3001\u3002\u3007\u3012\u3029\u3400\u4DBF\u4E00\u4E2D\u6587"
    U"\u9FFF\uFF01\uFF0C\uFF10\uFF1C\uFF21\uFF3A\uFF3F\uFF40\uFF41\uFF5A\uFF5E";
constexpr std::u32string_view kBlanks = U" \n\t\r\x0B\x1C\u3000";
// What it must stop at: marks that compose with what is before them or are sorted, code points that expand, vanish or have a case, other
// white space and scripts, and neighbours of the ranges.
constexpr std::u32string_view kUnknown =
    U"\u0301\u0338\u0345\u3099\u302A\u20DD\u1161\u11A8\uAC00\u1100\u200B\u00AD\uFE0F\uFDFA\u3300\u33C4\u00A0\u2003\u2028\u0085\u03A3\u00C9"
    U"\u0130"
    U"\u2011\u2017\u2024\u2025\u2027\u00B6\u00B8\u4DC0\u4DFF\u33FF\uA000\u302A\u303F\u3036\u3041\u304B\u30AB\uFF00\uFF5F\uFF66\uFFE5\uFEFF"
    U"\u2E80"
    U"\uF900\U00020000\U0002F800\U0001F600";

std::string random_text(std::mt19937_64& random, size_t most) {
  const uint64_t unknown = random() % 3;  // none, few, many
  const uint64_t blanks = random() % 3;
  const uint64_t broken = random() % 4;  // 1: some bytes that are not UTF-8
  std::string text;
  const size_t size = random() % most;
  while (text.size() < size) {
    const uint64_t what = random() % 64;
    if (what < 2 * unknown * unknown) {
      append_utf8(kUnknown[random() % kUnknown.size()], text);
    } else if (what < 2 * unknown * unknown + 8 * blanks) {
      for (uint64_t run = random() % 16 == 0 ? random() % 90 : random() % 3; run > 0; --run) {
        append_utf8(kBlanks[random() % kBlanks.size()], text);
      }
    } else if (what >= 62 && broken == 1) {
      text.push_back(static_cast<char>(static_cast<uint8_t>(random())));
    } else if (what % 2 == 0) {
      append_utf8(static_cast<char32_t>(0x4E00 + random() % 0x5200), text);
    } else {
      append_utf8(kKnown[random() % kKnown.size()], text);
    }
  }
  if (broken == 2) text.resize(text.size() - std::min(text.size(), random() % 3));  // cut
  return text;
}

TEST(FormKernels, every_code_point_alone_has_the_form_of_the_slow_twin) {
  const Judges judges;
  for (const kernels::Kernels* kernels : kernels_for_chinese()) {
    for (char32_t c = 0; c < 0x110000; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      check_taken(*kernels, judges, testing::utf8({c}));
    }
    for (const char32_t c : kUnknown) ASSERT_EQ(take(*kernels, testing::utf8({c})).read, 0u) << static_cast<uint32_t>(c);
    for (const char32_t c : kBlanks) ASSERT_EQ(take(*kernels, testing::utf8({c, U'a'})).read, 0u) << static_cast<uint32_t>(c);
    for (const std::string& text : testing::false_three_byte_sequences()) check_taken(*kernels, judges, text);
  }
}

TEST(FormKernels, nearly_all_chinese_is_taken) {
  for (const kernels::Kernels* kernels : kernels_for_chinese()) {
    const std::u32string taken = taken_alone(*kernels);
    const auto is_taken = [&](char32_t c) { return std::binary_search(taken.begin(), taken.end(), c); };
    for (char32_t c = 0x4E00; c < 0xA000; ++c) ASSERT_TRUE(is_taken(c)) << kernels->name << ' ' << static_cast<uint32_t>(c);
    for (char32_t c = 0xFF01; c < 0xFF5F; ++c) ASSERT_TRUE(is_taken(c)) << kernels->name << ' ' << static_cast<uint32_t>(c);
    for (const char32_t c :
         U"aZ09-\x7F\u2014\u2018\u2019\u201C\u201D\u3001\u3002\u3007\u300A\u300B\u300C\u300D\u3010\u3011\u3014\u3015"sv) {
      ASSERT_TRUE(is_taken(c)) << kernels->name << ' ' << static_cast<uint32_t>(c);
    }
    std::string text;
    for (int i = 0; i < 100; ++i) text += "\u4E2D\u6587\uFF0C\u201C GPT-4 \u201D\u3000\u2014\u2014\n\uFF08\uFF21\uFF09\u3002";
    EXPECT_EQ(take(*kernels, text).read, text.size()) << "at once, whatever the places of its characters in blocks";
  }
}

// Every code point that is taken, before all that may change it, and every code point of the first plane, after one of each kind.
TEST(FormKernels, pairs_have_the_form_of_the_slow_twin) {
  for (const kernels::Kernels* kernels : kernels_for_chinese()) {
    const std::u32string taken = taken_alone(*kernels);
    for (const NormalizerKind kind : kFormKinds) {
      const auto fast = make_normalizer(kind, *kernels);
      const auto slow = make_reference_normalizer(kind);
      std::string text;
      size_t pairs = 0;
      const auto check = [&] {
        ASSERT_EQ(form_of(*fast, text), form_of(*slow, text)) << ::testing::PrintToString(text);
        text.clear();
        pairs = 0;
      };
      for (const char32_t first : taken) {
        for (const char32_t second : U"\u0301\u0338\u3099\u302A\u20DD\u1161\u3000\uFE0F") {
          append_utf8(first, text);
          append_utf8(second, text);
        }
        if (++pairs == 32) check();
      }
      for (char32_t second = 0; second < 0x10000; ++second) {
        if ((second >= 0xD800 && second <= 0xDFFF) || second == 0x3A3) continue;  // a sigma changes with all that is before it
        for (const char32_t first : kKnown) {
          append_utf8(first, text);
          append_utf8(second, text);
        }
        if (++pairs == 8) check();
      }
      check();
    }
  }
}

TEST(FormKernels, mixtures_around_the_ends_of_blocks) {
  const Judges judges;
  std::mt19937_64 random(5);
  for (int round = 0; round < 60000; ++round) {
    const std::string text = random_text(random, round % 10 == 0 ? 1000 : 200);
    for (const kernels::Kernels* kernels : kernels_for_chinese()) check_taken(*kernels, judges, text);
    for (const NormalizerKind kind : kFormKinds) {
      const std::string expected = form_of(kind == NormalizerKind::kLower ? *judges.lower : *judges.casefold, text);
      for (const kernels::Kernels* kernels : testing::all_kernels()) {
        ASSERT_EQ(form_of(*make_normalizer(kind, *kernels), text), expected) << kernels->name << ' ' << ::testing::PrintToString(text);
      }
    }
  }
}

// Long enough for the distances at which the kernel is tried again to reach their maximum, and to shrink again.
TEST(FormKernels, long_texts_with_few_unknown_code_points) {
  const Judges judges;
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const uint64_t apart = uint64_t{1} << random() % 12;
    std::string text;
    while (text.size() < 20000) {
      for (uint64_t run = random() % apart; run > 0; --run) append_utf8(static_cast<char32_t>(0x4E00 + random() % 0x5200), text);
      append_utf8(kUnknown[random() % kUnknown.size()], text);
    }
    for (const NormalizerKind kind : kFormKinds) {
      const std::string expected = form_of(kind == NormalizerKind::kLower ? *judges.lower : *judges.casefold, text);
      for (const kernels::Kernels* kernels : testing::all_kernels()) {
        ASSERT_EQ(form_of(*make_normalizer(kind, *kernels), text), expected) << kernels->name << ", round " << round;
      }
    }
  }
}

// Each kind of thing at each place of a block, between characters of one, two and three bytes.
TEST(FormKernels, everything_at_every_place) {
  const Judges judges;
  std::vector<std::string> things = {" \n ", "\u3000\u3000", "\xFF", "\xE4\xB8", "\xE4", "\xC2", "\xEF\xBC", std::string(70, ' ')};
  for (const std::u32string_view kind : {kKnown, kBlanks, kUnknown}) {
    for (const char32_t c : kind) things.push_back(testing::utf8({c}));
  }
  for (const std::string& thing : things) {
    for (const std::string& before : {std::string("\u4E2D"), std::string("a"), std::string("\u00B7"), std::string("\uFF0C")}) {
      for (size_t count = 0; count * before.size() < 70; ++count) {
        std::string text;
        for (size_t i = 0; i < count; ++i) text += before;
        text += thing + "\u6587" + thing + "B";
        for (const kernels::Kernels* kernels : kernels_for_chinese()) check_taken(*kernels, judges, text);
        for (const kernels::Kernels* kernels : testing::all_kernels()) {
          ASSERT_EQ(form_of(*make_normalizer(NormalizerKind::kLower, *kernels), text), form_of(*judges.lower, text))
              << kernels->name << ' ' << ::testing::PrintToString(text);
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup
