// Goldens and laws of code_v1. The goldens are written by hand from docs/recipe.md.
#include "text/tokens/code_tokenizer.h"
#include "text/tokens/code_tokenizer_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/text_generators.h"

namespace neardup {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr CodeTokens kAsTheyAre{};
constexpr CodeTokens kComments{.keep_comments = true};
constexpr CodeTokens kRenamed{.normalize_identifiers = true, .normalize_numbers = true, .normalize_strings = true};

std::vector<std::string> tokens(std::string_view text, const CodeTokens& wanted = kAsTheyAre) {
  TokenBuffer buffer;
  make_code_tokenizer(wanted)->tokenize(text, buffer);
  std::vector<std::string> result;
  for (size_t i = 0; i < buffer.size(); ++i) result.push_back(std::string(buffer.token(i)));
  return result;
}

// With every choice of options.
void expect_slow_equals_fast(const std::string& text) {
  for (int choice = 0; choice < 16; ++choice) {
    const CodeTokens wanted{.keep_comments = (choice & 1) != 0,
                            .normalize_identifiers = (choice & 2) != 0,
                            .normalize_numbers = (choice & 4) != 0,
                            .normalize_strings = (choice & 8) != 0};
    TokenBuffer fast{.joined = {'o', 'l', 'd'}, .starts = {1, 2, 3}, .separator_bytes = 7};
    TokenBuffer slow;
    make_code_tokenizer(wanted)->tokenize(text, fast);
    make_reference_code_tokenizer(wanted)->tokenize(text, slow);
    ASSERT_EQ(fast.joined, slow.joined) << ::testing::PrintToString(text) << " choice " << choice;
    ASSERT_EQ(fast.starts, slow.starts) << ::testing::PrintToString(text) << " choice " << choice;
    ASSERT_EQ(fast.separator_bytes, slow.separator_bytes);
  }
}

TEST(Code, names_numbers_and_operators) {
  EXPECT_THAT(tokens("int main(void) { return x1+_y; }"),
              ElementsAre("int", "main", "(", "void", ")", "{", "return", "x1", "+", "_y", ";", "}"));
  EXPECT_THAT(tokens("$a->b == c::d"), ElementsAre("$a", "-", ">", "b", "=", "=", "c", ":", ":", "d"));
  EXPECT_THAT(tokens("变量=caf\u00E9\u3000+ e\u0301\u00A0\u00D7 \u20AC"),
              ElementsAre("变量", "=", "caf\u00E9", "+", "e\u0301", "\u00D7", "\u20AC"));
  EXPECT_THAT(tokens(" \t\r\n\u2028"), IsEmpty());
}

TEST(Code, case_is_kept) {
  EXPECT_THAT(tokens("Foo FOO foo"), ElementsAre("Foo", "FOO", "foo"));
}

TEST(Code, numbers) {
  EXPECT_THAT(tokens("1 3.14f 0xFFul 1_000 1e-9 6E+3 0x1p-4 10px"),
              ElementsAre("1", "3.14f", "0xFFul", "1_000", "1e-9", "6E+3", "0x1p-4", "10px"));
  EXPECT_THAT(tokens("1..10 1. 1.f .5 a.0"), ElementsAre("1", ".", ".", "10", "1", ".", "1", ".", "f", ".", "5", "a", ".", "0"));
  EXPECT_THAT(tokens("0x1e+5 1e+x 1p+2 1-2"), ElementsAre("0x1e", "+", "5", "1e", "+", "x", "1p", "+", "2", "1", "-", "2"));
}

TEST(Code, strings) {
  EXPECT_THAT(tokens(R"(f("a b", 'c', `d` "")"), ElementsAre("f", "(", "\"a b\"", ",", "'c'", ",", "`d`", "\"\""));
  EXPECT_THAT(tokens(R"("a\"b" '\\' x)"), ElementsAre(R"("a\"b")", R"('\\')", "x"));
  EXPECT_THAT(tokens("\"\"\"two\nlines \" ' \\\"\"\" end\"\"\" + '''x'''"),
              ElementsAre("\"\"\"two\nlines \" ' \\\"\"\" end\"\"\"", "+", "'''x'''"));
  EXPECT_THAT(tokens("\"// no comment\" '/* nor this'"), ElementsAre("\"// no comment\"", "'/* nor this'"));
}

TEST(Code, a_string_without_an_end_ends_with_its_line) {
  EXPECT_THAT(tokens("don't do\nthat"), ElementsAre("don", "'t do", "that"));
  EXPECT_THAT(tokens("\"a\\\nb\" \"a\\\r\nb\" c"), ElementsAre("\"a\\\nb\"", "\"a\\\r\nb\"", "c"));
  EXPECT_THAT(tokens("'\r\nx \""), ElementsAre("'", "x", "\""));
  EXPECT_THAT(tokens("\"\"\"to the\nend "), ElementsAre("\"\"\"to the\nend "));
  EXPECT_THAT(tokens("'a\\"), ElementsAre("'a\\"));
}

TEST(Code, comments_are_left_out) {
  EXPECT_THAT(tokens("a // b\nc /* d\ne */ f /**/ g <!-- h --> i"), ElementsAre("a", "c", "f", "g", "i"));
  EXPECT_THAT(tokens("a /* not /* nested */ b /*/ c */ d /* open"), ElementsAre("a", "b", "d"));
  EXPECT_THAT(tokens("#!/bin/sh\na # b\r## c\nd #"), ElementsAre("a", "d"));
  EXPECT_THAT(tokens("-- a\nb -- c\n--\n---- d\ne --"), ElementsAre("b", "e"));
  EXPECT_THAT(tokens("a --[[ b\nc ]] d --[==[ e ]] ]=] f ]==] g --[=[ open"), ElementsAre("a", "d", "g"));
}

TEST(Code, what_only_looks_like_a_comment) {
  EXPECT_THAT(tokens("#include <a>"), ElementsAre("#", "include", "<", "a", ">"));
  EXPECT_THAT(tokens("n = #t + #(u)"), ElementsAre("n", "=", "#", "t", "+", "#", "(", "u", ")"));
  EXPECT_THAT(tokens("#[x] a# b"), ElementsAre("#", "[", "x", "]", "a", "#", "b"));
  EXPECT_THAT(tokens("i-- ; --j --k"), ElementsAre("i", "-", "-", ";", "-", "-", "j", "-", "-", "k"));
  EXPECT_THAT(tokens("http://a"), ElementsAre("http", ":", "/", "/", "a"));
  EXPECT_THAT(tokens("a / b <!- c"), ElementsAre("a", "/", "b", "<", "!", "-", "c"));
}

TEST(Code, words_of_comments) {
  EXPECT_THAT(tokens("a // don't: 3.14 变量_x\nb", kComments), ElementsAre("a", "don", "t", "3", "14", "变", "量", "x", "b"));
  CodeTokens both = kRenamed;
  both.keep_comments = true;
  EXPECT_THAT(tokens("a /* b 1 */ c", both), ElementsAre("_", "b", "1", "_"));
}

TEST(Code, normalized) {
  EXPECT_THAT(
      tokens("for (int i = 0; i < count; ++i) print(\"x\", 'y');", kRenamed),
      ElementsAre("for", "(", "int", "_", "=", "0", ";", "_", "<", "_", ";", "+", "+", "_", ")", "_", "(", "\"\"", ",", "\"\"", ")", ";"));
  EXPECT_THAT(tokens("For forx", kRenamed), ElementsAre("_", "_"));  // keywords are exact
  EXPECT_THAT(tokens("\"\n'", kRenamed), ElementsAre("\"\"", "\"\""));
}

TEST(Code, malformed_bytes_are_tokens_of_their_own) {
  EXPECT_THAT(tokens("a\xFF\xE4\xB8z"), ElementsAre("a", "\xFF", "\xE4\xB8", "z"));
}

TEST(Code, joined_by_one_blank) {
  TokenBuffer buffer;
  make_code_tokenizer(kRenamed)->tokenize("x='a  b'", buffer);
  EXPECT_EQ(view_of(buffer.joined), "_ = \"\"");
  EXPECT_THAT(buffer.starts, ElementsAre(0, 2, 4, 7));
}

// The room of a token and its blank is two bytes for each of the text, but for the lone quotation mark, which grows.
TEST(Code, texts_that_grow_most) {
  for (const std::string piece : {"+", "\"\n", "\"\r\n", "\"\"", "\"", "'\n+", "`\n\n", "a+", "\"\"\"", "0"}) {
    std::string text;
    for (int count = 0; count < 70; ++count, text += piece) {
      expect_slow_equals_fast(text);
      expect_slow_equals_fast(text + "\"");
    }
  }
}

// Quadratic time would take hours.
TEST(Code, openings_without_an_end_take_linear_time) {
  for (const std::string piece :
       {"'", "\"", "\\'", "'\\", "/*", "<!--", "--[", "--[=", "--[[", "\"\"\"", "'''\\", "#", " #", " --", "1.", "1e+", "`"}) {
    std::string text;
    while (text.size() < 1u << 20) text += piece;
    TokenBuffer buffer;
    make_code_tokenizer(kComments)->tokenize(text, buffer);
    EXPECT_LE(buffer.size(), text.size());
  }
}

RC_GTEST_PROP(CodeLaw, fast_is_slow, ()) {
  expect_slow_equals_fast(*testing::text());
}

// Pieces out of which rules are made, so that they meet.
RC_GTEST_PROP(CodeLaw, fast_is_slow_for_code, ()) {
  static const std::vector<std::string> kPieces = {
      "\"",   "'",    "`",   "\"\"\"", "'''", "\\",     "\n",  "\r",   "\r\n",     " ",      "\u3000",    "\u0085", "/*",   "*/",
      "//",   "/",    "*",   "#",      "#!",  "--",     "-",   "[",    "[[",       "]]",     "]",         "=",      "==",   "--[",
      "--[[", "<!--", "-->", "<",      ":",   "a",      "for", "_x",   "$y",       "0",      "0x1e",      "1e",     "2.5p", "+",
      ".",    "7",    "(",   "{",      "变",  "\u0301", "é",   "\xFF", "\xE4\xB8", "\u30FC", "\U00020000"};
  const auto chosen = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, kPieces.size()));
  std::string text;
  for (const size_t piece : chosen) text += kPieces[piece];
  expect_slow_equals_fast(text);
}

RC_GTEST_PROP(CodeLaw, layout_changes_nothing_between_tokens, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("a", "if", "(", ")", "1.5", "'x y'", "+"));
  std::string narrow;
  std::string wide;
  for (const std::string& name : names) {
    narrow += name + " ";
    wide += "\n\t" + name + " \u3000// why\r\n";
  }
  RC_ASSERT(tokens(narrow) == tokens(wide));
}

}  // namespace
}  // namespace neardup
