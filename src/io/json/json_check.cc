#include <fmt/format.h>

#include <cstring>

#include "io/json/json_detail.h"
#include "io/json/json_scan.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using namespace json_detail;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// Walks over one text; each check_ function moves at_ past what it checked, or sets fault_ and returns false.
class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  JsonFault run() {
    bool value_expected = true;
    for (;;) {
      at_ = skip_white(text_, at_);
      if (value_expected) {
        if (!check_value_start(value_expected)) return fault_;
        continue;
      }
      if (open_.empty()) break;
      if (!check_after_value(value_expected)) return fault_;
    }
    if (at_ < text_.size()) fail(kFollowsValue);
    return fault_;
  }

 private:
  [[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool fail(std::string_view what) {
    fault_ = {at_, std::string(what)};
    return false;
  }
  // What stands here is not what `wanted` names.
  bool fail_to_find(std::string_view wanted) {
    const std::string found = at_ == text_.size() ? "the line ends" : "unexpected character " + shown_character();
    return fail(found + std::string(wanted));
  }
  // A whole character of UTF-8, in quotes; control characters by their number.
  [[nodiscard]] std::string shown_character() const {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c < 0x20 || c == 0x7F) return fmt::format("U+{:04X}", c);
    return fmt::format("'{}'", text_.substr(at_, decode_utf8(text_, at_).length));
  }

  // A scalar, or the opening of an array or object up to where its first value begins.
  bool check_value_start(bool& value_expected) {
    value_expected = false;
    if (at_ == text_.size()) return fail_to_find(" where a value is expected");
    switch (text_[at_]) {
      case '"':
        return check_string();
      case '{':
      case '[':
        return check_opening(value_expected);
      case 't':
        return check_literal("true");
      case 'f':
        return check_literal("false");
      case 'n':
        return check_literal("null");
      default:
        return check_number();
    }
  }

  bool check_opening(bool& value_expected) {
    if (open_.size() == kMaxJsonDepth) return fail("nested too deep");
    open_.push_back(text_[at_++]);
    at_ = skip_white(text_, at_);
    if (peek() == (open_.back() == '{' ? '}' : ']')) {
      open_.pop_back();
      ++at_;
      return true;
    }
    value_expected = true;
    return open_.back() == '[' || check_key();
  }

  bool check_after_value(bool& value_expected) {
    const bool object = open_.back() == '{';
    if (peek() == (object ? '}' : ']')) {
      open_.pop_back();
      ++at_;
      return true;
    }
    if (peek() != ',')
      return fail_to_find(at_ == text_.size() ? " before a bracket is closed" : " where ',' or a closing bracket is expected");
    ++at_;
    at_ = skip_white(text_, at_);
    value_expected = true;
    return !object || check_key();
  }

  bool check_key() {
    if (peek() != '"') return fail_to_find(" where a member name is expected");
    if (!check_string()) return false;
    at_ = skip_white(text_, at_);
    if (peek() != ':') return fail_to_find(" where ':' is expected");
    ++at_;
    return true;
  }

  bool check_string() {
    const size_t begin = at_++;
    for (; at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20) return fail("a control character in a string is not escaped");
      if (c == '\\' && !check_escape()) return false;
    }
    at_ = begin;
    return fail("a string is not closed");
  }

  bool check_escape() {
    const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (kind == 'u') {
      if (hex4(text_, at_ + 2) < 0) return fail("a bad escape in a string");
      at_ += 5;
      return true;
    }
    if (kind == '\0' || std::strchr("\"\\/bfnrt", kind) == nullptr) return fail("a bad escape in a string");
    ++at_;
    return true;
  }

  bool check_literal(std::string_view word) { return text_.substr(at_, word.size()) == word ? skip(word.size()) : fail_to_find(""); }

  bool check_number() {
    const size_t begin = at_;
    if (peek() == '-') ++at_;
    if (!is_digit(peek())) {
      if (at_ == begin) return fail_to_find("");
      return fail_to_find(" where a digit is expected");
    }
    if (peek() == '0' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) return fail("a number begins with 0");
    skip_digits();
    if (peek() == '.' && !(skip(1) && check_digits())) return false;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      return check_digits();
    }
    return true;
  }

  bool check_digits() { return is_digit(peek()) ? skip_digits() : fail_to_find(" where a digit is expected"); }
  bool skip_digits() {
    while (is_digit(peek())) ++at_;
    return true;
  }
  bool skip(size_t bytes) {
    at_ += bytes;
    return true;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::string open_;  // the brackets that are open here
  JsonFault fault_;
};

}  // namespace

std::string_view name_of(JsonType type) noexcept {
  constexpr std::string_view kNames[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return kNames[static_cast<size_t>(type)];
}

JsonFault check_json(std::string_view text) {
  return Checker(text).run();
}

size_t find_invalid_utf8(std::string_view text) noexcept {
  if (is_valid_utf8(text)) return std::string_view::npos;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (!decoded.valid) return at;
    at += decoded.length;
  }
  return std::string_view::npos;
}

}  // namespace neardup
