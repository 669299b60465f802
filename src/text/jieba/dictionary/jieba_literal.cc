#include "text/jieba/dictionary/jieba_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {

Literal::Literal(std::string_view text, const std::string& file) : text_(text), file_(file) {
  const size_t begin = text_.find("P=");
  if (begin == std::string_view::npos) fail("expected P={...}");
  at_ = begin + 2;
}

double Literal::number() {
  peek();
  double value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc() || !std::isfinite(value)) fail("expected a finite number");
  at_ = static_cast<size_t>(end - text_.data());
  return value;
}

void Literal::fail(std::string_view what) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
  throw Error(ErrorCode::kInput, fmt::format("{}:{}: {}", file_, line, what));
}

char Literal::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
  if (at_ >= text_.size()) fail("the file ends inside the table");
  return text_[at_];
}

void Literal::expect(char c) {
  if (peek() != c) fail(fmt::format("expected '{}'", c));
  ++at_;
}

// Returns the quote.
char Literal::open_string() {
  if (peek() == 'u') ++at_;
  const char quote = peek();
  if (quote != '\'' && quote != '"') fail("expected a key in quotes");
  ++at_;
  if (at_ >= text_.size()) fail("the file ends inside a key");
  return quote;
}

char32_t Literal::read_character() {
  const char quote = open_string();
  char32_t key = 0;
  if (text_.substr(at_).starts_with("\\u")) {
    uint32_t value = 0;
    const std::string_view digits = text_.substr(at_ + 2, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + 4) fail("expected four hexadecimal digits");
    key = value;
    at_ += 6;
  } else {
    const Decoded decoded = decode_utf8(text_, at_);
    key = decoded.code_point;
    at_ += decoded.length;
  }
  if (at_ >= text_.size() || text_[at_] != quote) fail("expected a key of one character");
  ++at_;
  return key;
}

TagState Literal::read_state() {
  expect('(');
  const char32_t letter = read_character();
  if (letter != 'B' && letter != 'E' && letter != 'M' && letter != 'S') fail("expected one of the states B, E, M, S");
  expect(',');
  const char quote = open_string();
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') ++at_;
  if (at_ == begin || at_ >= text_.size() || text_[at_] != quote) fail("expected a tag of the letters a to z");
  TagState state(static_cast<char>(letter), text_.substr(begin, at_ - begin));
  ++at_;
  expect(')');
  return state;
}

}  // namespace neardup::jieba
