#include "io/json/field_text.h"

#include <array>
#include <charconv>
#include <cstring>

#include "base/format.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr uint64_t kOnes = 0x0101'0101'0101'0101u;  // times a byte: eight of it
constexpr uint64_t kHighBits = kOnes * 0x80;

void append_control(unsigned char byte, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (byte) {
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 15]);
  }
}

constexpr std::array<bool, 256> escaped_bytes() {
  std::array<bool, 256> escaped{};
  for (size_t byte = 0; byte < 0x20; ++byte) escaped[byte] = true;
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}

// High bits of bytes that JSON must escape: a control character, a quotation mark, a backslash.
uint64_t escaped_bits(uint64_t word) noexcept {
  // The high bits of the bytes below the limit, which is at most 128. A borrow of the subtraction affects only bytes above a found one.
  const auto below = [](uint64_t bytes, uint64_t limit) { return (bytes - kOnes * limit) & ~bytes; };
  return (below(word, 0x20) | below(word ^ kOnes * '"', 1) | below(word ^ kOnes * '\\', 1)) & kHighBits;
}

bool has_escaped(uint64_t word) noexcept {
  return escaped_bits(word) != 0;
}

// True if a byte of the word is not ASCII, or must be escaped.
bool has_special(uint64_t word) noexcept {
  return ((word & kHighBits) | escaped_bits(word)) != 0;
}

// True if JSON needs no escapes for the text, as for most ids and names.
bool is_plain(std::string_view text) noexcept {
  uint64_t word = 0x6161'6161'6161'6161u;
  if (text.size() < sizeof word) {
    for (const char byte : text) word = word << 8 | static_cast<unsigned char>(byte);
    return !has_special(word);
  }
  const auto special_at = [&](size_t at) {
    std::memcpy(&word, text.data() + at, sizeof word);
    return has_special(word);
  };
  for (size_t at = 0; at + sizeof word <= text.size(); at += sizeof word) {
    if (special_at(at)) return false;
  }
  return !special_at(text.size() - sizeof word);
}

// The position of the first byte from `at` on that JSON must escape, or the size. Eight bytes at a time: most texts have such a byte only
// at the end of a line.
size_t next_escaped(std::string_view text, size_t at) noexcept {
  static constexpr std::array<bool, 256> kEscaped = escaped_bytes();
  for (uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (has_escaped(word)) break;
  }
  while (at < text.size() && !kEscaped[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

void append_valid(std::string_view text, std::string& out) {
  size_t run = 0;
  for (size_t at = next_escaped(text, 0); at < text.size(); at = next_escaped(text, run)) {
    out.append(text, run, at - run);
    run = at + 1;
    if (const auto byte = static_cast<unsigned char>(text[at]); byte < 0x20) {
      append_control(byte, out);
    } else {
      out.push_back('\\');
      out.push_back(text[at]);
    }
  }
  out.append(text, run);
}

}  // namespace

void append_json_escaped(std::string_view text, std::string& out) {
  if (is_plain(text)) {
    out.append(text);
    return;
  }
  if (is_valid_utf8(text)) return append_valid(text, out);
  std::string repaired;
  repair_utf8(text, repaired);
  append_valid(repaired, out);
}

void append_json_string(std::string_view text, std::string& out) {
  out.push_back('"');
  append_json_escaped(text, out);
  out.push_back('"');
}

void append_valid_json_string(std::string_view text, std::string& out) {
  out.push_back('"');
  append_valid(text, out);
  out.push_back('"');
}

void append_tsv_cell(std::string_view text, std::string& out) {
  const size_t begin = out.size();
  out.append(text);
  for (size_t at = out.find_first_of("\t\n\r", begin); at != std::string::npos; at = out.find_first_of("\t\n\r", at)) out[at] = ' ';
}

void append_number(uint64_t value, std::string& out) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  static_cast<void>(error);  // 20 digits hold any value
  out.append(digits, end);
}

void append_similarity(double value, std::string& out) {
  append_format(out, "{:.6f}", value);
}

}  // namespace neardup
