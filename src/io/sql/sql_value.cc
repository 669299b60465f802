#include "io/sql/sql_value.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "base/format.h"
#include "base/hex.h"
#include "io/json/field_text.h"
#include "io/json/json_scan.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void append_text(std::string_view text, std::string& out) {
  if (is_valid_utf8(text)) return append_valid_json_string(text, out);
  out.push_back('"');
  size_t run = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (decoded.valid) {
      at += decoded.length;
      continue;
    }
    append_json_escaped(text.substr(run, at - run), out);
    append_format(out, "\\udc{:02x}", static_cast<unsigned char>(text[at]));
    run = ++at;
  }
  append_json_escaped(text.substr(run), out);
  out.push_back('"');
}

// Line breaks in JSON occur only between values, where a blank is equivalent.
void append_json(std::string_view text, std::string& out) {
  if (find_invalid_utf8(text) != std::string_view::npos || !check_json(text).what.empty()) return append_text(text, out);
  for (const char c : text) out.push_back(c == '\n' || c == '\r' ? ' ' : c);
}

}  // namespace

std::string json_number(std::string_view digits) {
  std::string number;
  if (digits.starts_with('-')) number = "-";
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  while (digits.size() > 1 && digits[0] == '0' && is_ascii_digit(digits[1])) digits.remove_prefix(1);
  if (digits.starts_with('.')) number.push_back('0');
  number += digits;
  if (number.ends_with('.')) number.pop_back();
  const bool numeric = !digits.empty() && (is_ascii_digit(digits[0]) || digits[0] == '.');
  return numeric && check_json(number).what.empty() ? number : std::string();
}

SqlCell number_cell(std::string_view digits, std::string& storage) {
  storage = json_number(digits);
  return storage.empty() ? SqlCell{SqlKind::kText, digits} : SqlCell{SqlKind::kNumber, storage};
}

std::string shortest_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 40> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  static_cast<void>(error);  // 24 characters hold any double
  std::string number(digits.data(), end);
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return number;
}

void append_json_value(const SqlCell& cell, std::string& out) {
  switch (cell.kind) {
    case SqlKind::kNull:
      out += "null";
      break;
    case SqlKind::kNumber:
    case SqlKind::kBoolean:
      out += cell.bytes;
      break;
    case SqlKind::kText:
      append_text(cell.bytes, out);
      break;
    case SqlKind::kJson:
      append_json(cell.bytes, out);
      break;
    case SqlKind::kBytes:
      out.push_back('"');
      out += to_base64(cell.bytes);
      out.push_back('"');
  }
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (size_t i = 0; i < 4; ++i) text.push_back(at + i > bytes.size() ? '=' : kBase64[group >> (18 - 6 * i) & 63]);
  }
  return text;
}

bool from_base64(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  for (size_t at = 0; at < text.size(); at += 4) {
    uint32_t group = 0;
    size_t pads = 0;
    for (size_t i = 0; i < 4; ++i) {
      const char c = text[at + i];
      const size_t value = kBase64.find(c);
      const bool pad = c == '=' && i >= 2 && at + 4 == text.size();
      if (pad) ++pads;
      if ((value == std::string_view::npos && !pad) || (pads > 0 && !pad)) return false;
      group = group << 6 | (pad ? 0U : static_cast<uint32_t>(value));
    }
    for (size_t i = 0; i < 3 - pads; ++i) bytes.push_back(static_cast<char>(group >> (16 - 8 * i) & 255));
  }
  return true;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (size_t at = 0; at + 1 < digits.size(); at += 2) {
    bytes.push_back(static_cast<char>(hex_value(digits[at]) * 16 + hex_value(digits[at + 1])));
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string digits;
  digits.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits.push_back(kHex[byte >> 4]);
    digits.push_back(kHex[byte & 15]);
  }
  return digits;
}

}  // namespace neardup
