// The HMM tables of the Python package: files that say `P={...}`, a dictionary of numbers or of dictionaries.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "neardup/error.h"
#include "text/jieba/jieba_sources.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

constexpr std::string_view kLetters = "BEMS";

// Reads the one literal of such a file. Keys are single characters.
class Literal {
 public:
  Literal(std::string_view text, const std::string& file) : text_(text), file_(file) {
    const size_t begin = text_.find("P=");
    if (begin == std::string_view::npos) fail("expected P={...}");
    at_ = begin + 2;
  }

  /// Calls visit(key) for every entry, which has to read the value.
  template <typename Visit>
  void dictionary(Visit visit) {
    expect('{');
    while (peek() != '}') {
      const char32_t key = read_key();
      expect(':');
      visit(key);
      if (peek() == ',') ++at_;
    }
    ++at_;
  }

  double number() {
    peek();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("expected a finite number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  size_t state(char32_t key) const {
    const size_t found = key < 0x80 ? kLetters.find(static_cast<char>(key)) : std::string_view::npos;
    if (found == std::string_view::npos) fail("expected one of the states B, E, M, S");
    return found;
  }

  [[noreturn]] void fail(std::string_view what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw Error(ErrorCode::kInput, fmt::format("{}:{}: {}", file_, line, what));
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
    if (at_ >= text_.size()) fail("the file ends inside the table");
    return text_[at_];
  }
  void expect(char c) {
    if (peek() != c) fail(fmt::format("expected '{}'", c));
    ++at_;
  }
  char32_t read_key() {
    if (peek() == 'u') ++at_;
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a key in quotes");
    ++at_;
    if (at_ >= text_.size()) fail("the file ends inside a key");
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

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
};

}  // namespace

Hmm read_hmm(const std::string& folder) {
  Hmm hmm{};
  hmm.start.fill(kNever);
  for (auto& row : hmm.transition) row.fill(kNever);
  const auto read = [&](const char* name, auto visit) {
    const std::string file = folder + "/" + name;
    const std::string text = read_source(file);
    Literal literal(text, file);
    literal.dictionary([&](char32_t key) { visit(literal, literal.state(key)); });
  };
  read("prob_start.py", [&](Literal& literal, size_t state) { hmm.start[state] = literal.number(); });
  read("prob_trans.py", [&](Literal& literal, size_t from) {
    literal.dictionary([&](char32_t key) { hmm.transition[from][literal.state(key)] = literal.number(); });
  });
  read("prob_emit.py", [&](Literal& literal, size_t state) {
    literal.dictionary([&](char32_t key) {
      const auto [row, added] = hmm.emission.try_emplace(key);
      if (added) row->second.fill(kNever);
      row->second[state] = literal.number();
    });
  });
  return hmm;
}

}  // namespace neardup::jieba
