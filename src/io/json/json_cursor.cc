#include <algorithm>

#include "io/json/json_detail.h"
#include "io/json/json_scan.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using namespace json_detail;

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

// Appends the character of the \u escape whose digits begin at `at`; returns where the text goes on. A half pair becomes U+FFFD.
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
