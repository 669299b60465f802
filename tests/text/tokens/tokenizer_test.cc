// Goldens and laws of words_v1 and chars_v1.
#include "text/tokens/tokenizer.h"
#include "text/tokens/tokenizer_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/normalize/normalizer.h"
#include "text/text_generators.h"

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> tokens(TokenizerKind kind, std::string_view text) {
  TokenBuffer buffer;
  make_tokenizer(kind)->tokenize(text, buffer);
  std::vector<std::string> result;
  for (size_t i = 0; i < buffer.size(); ++i) result.push_back(std::string(buffer.token(i)));
  return result;
}

std::vector<std::string> words(std::string_view text) {
  return tokens(TokenizerKind::kWords, text);
}

void expect_equal(const Tokenizer& fast, const Tokenizer& slow, const std::string& text) {
  TokenBuffer a{.joined = {'o', 'l', 'd'}, .starts = {1, 2, 3}, .separator_bytes = 7};
  TokenBuffer b;
  fast.tokenize(text, a);
  slow.tokenize(text, b);
  ASSERT_EQ(a.joined, b.joined) << ::testing::PrintToString(text);
  ASSERT_EQ(a.starts, b.starts) << ::testing::PrintToString(text);
  ASSERT_EQ(a.separator_bytes, b.separator_bytes) << ::testing::PrintToString(text);
}

TEST(Words, letters_marks_and_digits_run_together) {
  EXPECT_THAT(words("don't stop: 3.14 is pi2"), ElementsAre("don", "t", "stop", "3", "14", "is", "pi2"));
  EXPECT_THAT(words("caf\u00E9-bar na\u00EFve_x"), ElementsAre("caf\u00E9", "bar", "na\u00EFve", "x"));
  EXPECT_THAT(words("x\u0301y \u0301z"), ElementsAre("x\u0301y", "\u0301z"));
  EXPECT_THAT(words("\u0661\u0662 \u00BD"), ElementsAre("\u0661\u0662"));  // digits of any script, but not other numbers
}

TEST(Words, ideographs_kana_and_hangul_stand_alone) {
  EXPECT_THAT(words("\u4E2D\u6587abc\u5B57\u3002"), ElementsAre("\u4E2D", "\u6587", "abc", "\u5B57"));
  EXPECT_THAT(words("\u3007\u3005\U00020000"), ElementsAre("\u3007", "\u3005", "\U00020000"));
  EXPECT_THAT(words("\u304B\u306A\u30AB\u30CA"), ElementsAre("\u304B", "\u306A", "\u30AB", "\u30CA"));
  EXPECT_THAT(words("\uD55C\uAE00 abc"), ElementsAre("\uD55C", "\uAE00", "abc"));
}

TEST(Words, marks_and_kana_signs_belong_to_the_token_before) {
  EXPECT_THAT(words("\u4E2D\u0301\u6587"), ElementsAre("\u4E2D\u0301", "\u6587"));
  EXPECT_THAT(words("\u30B3\u30FC\u30D2\u30FC"), ElementsAre("\u30B3\u30FC", "\u30D2\u30FC"));
  EXPECT_THAT(words("\u4E2D\u0301a"), ElementsAre("\u4E2D\u0301", "a"));
}

TEST(Words, joined_by_one_blank) {
  TokenBuffer buffer;
  make_tokenizer(TokenizerKind::kWords)->tokenize("one,two \u4E2D\u6587!", buffer);
  EXPECT_EQ(view_of(buffer.joined), "one two \u4E2D \u6587");
  EXPECT_THAT(buffer.starts, ElementsAre(0, 4, 8, 12, 16));
}

TEST(Words, nothing_in_nothing_out) {
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(" .,\u3002 \xFF\xE4"), IsEmpty());
}

TEST(Words, long_tokens_and_block_ends) {
  const auto slow = make_reference_tokenizer(TokenizerKind::kWords);
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    const auto fast = make_tokenizer(TokenizerKind::kWords, *kernels);
    for (size_t length = 0; length < 200; ++length) {
      const std::string run(length, 'a');
      for (const std::string after : {"", " ", "\u00E9", " \u00E9", "\u4E2D", ", bc"}) {
        expect_equal(*fast, *slow, run + after);
        expect_equal(*fast, *slow, run + after + run + after + "z");
      }
    }
  }
}

TEST(Words, marks_after_any_number_of_ideographs) {
  const auto slow = make_reference_tokenizer(TokenizerKind::kWords);
  const auto fast = make_tokenizer(TokenizerKind::kWords);
  std::string ideographs;
  for (int count = 0; count < 200; ++count) {
    for (const std::string after : {"\u0301", "\u3099", "\u30FC\u0301x", "\u3002\u0301", ",\u3099", "\U000E0100", "x"}) {
      expect_equal(*fast, *slow, ideographs + after);
      expect_equal(*fast, *slow, ideographs + after + "\u4E2D\u6587");
    }
    ideographs += "\u4E2D";
  }
}

TEST(TokenizerLaw, fast_is_slow_for_false_three_byte_sequences) {
  for (const TokenizerKind kind : {TokenizerKind::kWords, TokenizerKind::kChars}) {
    const auto fast = make_tokenizer(kind);
    const auto slow = make_reference_tokenizer(kind);
    for (const std::string& text : testing::false_three_byte_sequences()) expect_equal(*fast, *slow, text);
  }
}

TEST(Chars, every_code_point_is_a_token) {
  EXPECT_THAT(tokens(TokenizerKind::kChars, "a \u00E9\u4E2D\U0001F600"), ElementsAre("a", " ", "\u00E9", "\u4E2D", "\U0001F600"));
  EXPECT_THAT(tokens(TokenizerKind::kChars, ""), IsEmpty());
  EXPECT_THAT(tokens(TokenizerKind::kChars, "\xE4\xB8z\xFF"), ElementsAre("\xE4\xB8", "z", "\xFF"));
}

RC_GTEST_PROP(TokenizerLaw, fast_is_slow, ()) {
  std::string text = *testing::text();
  if (*rc::gen::arbitrary<bool>()) {
    RawVector<char> normalized;
    std::string piece;
    make_normalizer(NormalizerKind::kCasefold)->normalize(text, normalized, piece);
    text = view_of(normalized);
  }
  for (const kernels::Kernels* kernels : testing::all_kernels()) {
    expect_equal(*make_tokenizer(TokenizerKind::kWords, *kernels), *make_reference_tokenizer(TokenizerKind::kWords), text);
    expect_equal(*make_tokenizer(TokenizerKind::kChars, *kernels), *make_reference_tokenizer(TokenizerKind::kChars), text);
  }
}

RC_GTEST_PROP(TokenizerLaw, words_are_parted_by_exactly_one_blank, ()) {
  TokenBuffer buffer;
  make_tokenizer(TokenizerKind::kWords)->tokenize(*testing::text(), buffer);
  uint32_t at = 0;
  for (size_t i = 0; i < buffer.size(); ++i) {
    if (i > 0) RC_ASSERT(buffer.joined[at++] == ' ');
    RC_ASSERT(buffer.starts[i] == at);
    RC_ASSERT(!buffer.token(i).empty());
    at += static_cast<uint32_t>(buffer.token(i).size());
  }
  RC_ASSERT(buffer.joined.size() == at);
}

}  // namespace
}  // namespace neardup
