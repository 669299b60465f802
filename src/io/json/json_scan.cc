#include "io/json/json_scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using namespace json_detail;

// Scans one text; each check_ function moves at_ past the checked part, or sets fault_ and returns false.
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
  // Sets a fault: the text here is not what `wanted` names.
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
    if (!is_ascii_digit(peek())) {
      if (at_ == begin) return fail_to_find("");
      return fail_to_find(" where a digit is expected");
    }
    if (peek() == '0' && at_ + 1 < text_.size() && is_ascii_digit(text_[at_ + 1])) return fail("a number begins with 0");
    skip_digits();
    if (peek() == '.' && !(skip(1) && check_digits())) return false;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      return check_digits();
    }
    return true;
  }

  bool check_digits() { return is_ascii_digit(peek()) ? skip_digits() : fail_to_find(" where a digit is expected"); }
  bool skip_digits() {
    while (is_ascii_digit(peek())) ++at_;
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

// After the string whose opening quote is at `at`.
size_t skip_string(std::string_view text, size_t at) noexcept {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// After the value at `at`.
size_t skip_value(std::string_view text, size_t at) noexcept {
  size_t depth = 0;
  do {
    at = skip_white(text, at);
    switch (text[at]) {
      case '"':
        at = skip_string(text, at);
        break;
      case '{':
      case '[':
        ++depth;
        ++at;
        break;
      case '}':
      case ']':
        --depth;
        ++at;
        break;
      case ',':
      case ':':
        ++at;
        break;
      default:
        at = std::min(text.find_first_of(",]} \t\n\r", at), text.size());
    }
  } while (depth > 0);
  return at;
}

// Appends the character of the \u escape whose digits begin at `at`; returns the position after it. A half pair becomes U+FFFD.
size_t append_escaped_unit(std::string_view text, size_t at, std::string& out, bool& repaired) {
  const int32_t unit = hex4(text, at);
  at += 4;
  if (unit < 0xD800 || unit > 0xDFFF) {
    append_utf8(static_cast<char32_t>(unit), out);
    return at;
  }
  if (unit < 0xDC00 && text.substr(at, 2) == "\\u") {
    const int32_t low = hex4(text, at + 2);
    if (low >= 0xDC00 && low <= 0xDFFF) {
      append_utf8(static_cast<char32_t>(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), out);
      return at + 6;
    }
  }
  append_utf8(kReplacement, out);
  repaired = true;
  return at;
}

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

JsonCursor::JsonCursor(std::string_view text, size_t at) noexcept : text_(text), at_(skip_white(text, at)) {}

JsonType JsonCursor::type() const noexcept {
  switch (text_[at_]) {
    case '"':
      return JsonType::kString;
    case '{':
      return JsonType::kObject;
    case '[':
      return JsonType::kArray;
    case 'n':
      return JsonType::kNull;
    case 't':
    case 'f':
      return JsonType::kBoolean;
    default:
      return JsonType::kNumber;
  }
}

bool JsonCursor::member(std::string_view name, JsonCursor& found) const {
  std::string key;
  for (size_t at = skip_white(text_, at_ + 1); text_[at] != '}';) {
    JsonCursor(text_, at).string(key);
    const size_t value = skip_white(text_, skip_white(text_, skip_string(text_, at)) + 1);
    if (key == name) {
      found = JsonCursor(text_, value);
      return true;
    }
    at = skip_white(text_, skip_value(text_, value));
    if (text_[at] == ',') at = skip_white(text_, at + 1);
  }
  return false;
}

bool JsonCursor::next_element(JsonCursor& element) const {
  size_t at = skip_white(text_, at_ + 1);
  if (!element.text_.empty()) {
    at = skip_white(text_, skip_value(text_, element.at_));
    if (text_[at] == ',') at = skip_white(text_, at + 1);
  }
  if (text_[at] == ']') return false;
  element = JsonCursor(text_, at);
  return true;
}

bool JsonCursor::next_member(std::string& name, JsonCursor& value) const {
  size_t at = skip_white(text_, at_ + 1);
  if (!value.text_.empty()) {
    at = skip_white(text_, skip_value(text_, value.at_));
    if (text_[at] == ',') at = skip_white(text_, at + 1);
  }
  if (text_[at] == '}') return false;
  JsonCursor(text_, at).string(name);
  value = JsonCursor(text_, skip_white(text_, skip_white(text_, skip_string(text_, at)) + 1));
  return true;
}

std::string_view JsonCursor::scalar() const noexcept {
  return text_.substr(at_, skip_value(text_, at_) - at_);
}

bool JsonCursor::string(std::string& out) const {
  out.clear();
  bool repaired = false;
  for (size_t at = at_ + 1; text_[at] != '"';) {
    const size_t run = text_.find_first_of("\"\\", at);
    out.append(text_, at, run - at);
    at = run;
    if (text_[at] == '"') break;
    const char kind = text_[at + 1];
    at += 2;
    if (kind == 'u') {
      at = append_escaped_unit(text_, at, out, repaired);
      continue;
    }
    constexpr std::string_view kEscapes = "bfnrt";
    const size_t which = kEscapes.find(kind);
    out.push_back(which == std::string_view::npos ? kind : "\b\f\n\r\t"[which]);
  }
  return repaired;
}

}  // namespace neardup
