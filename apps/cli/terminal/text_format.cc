#include "cli/terminal/text_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <span>

namespace neardup::cli {
namespace {

bool inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

struct CodePoints {
  char32_t first;
  char32_t last;
};

// The blocks of Unicode whose characters are wide (East Asian Width W and F) or combine with the one before, near enough for messages.
constexpr CodePoints kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},  {0xAC00, 0xD7A3},
                                {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x17000, 0x18CFF},
                                {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr CodePoints kCombining[] = {{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

bool among(std::span<const CodePoints> ranges, char32_t point) {
  return std::ranges::any_of(ranges, [point](const CodePoints& range) { return range.first <= point && point <= range.last; });
}

// The character at the start of `text`, which is cut off; a byte that is not UTF-8 is returned as it is.
char32_t next_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t point = length == 1 ? lead : lead & (0x7FU >> length);
  size_t at = 1;
  for (; at < length && at < text.size() && inside_character(text[at]); ++at) {
    point = point << 6 | (static_cast<unsigned char>(text[at]) & 0x3F);
  }
  text.remove_prefix(at == length ? length : 1);
  return at == length ? point : lead;
}

}  // namespace

std::string clock_time(double seconds) {
  const auto whole = static_cast<uint64_t>(std::llround(std::clamp(seconds, 0.0, 1e9)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string rounded(double value) {
  if (value >= 1e15) return fmt::format("{:.1e}", value);
  if (value >= 100) return grouped(static_cast<uint64_t>(std::llround(value)));
  return fmt::format("{:.2g}", value);
}

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
      out += byte;
    }
  }
  return out + "\"";
}

std::string shortened(std::string_view text, size_t most) {
  constexpr std::string_view kGap = " [...] ";
  if (text.size() <= most || most <= kGap.size() + 8) return std::string(text);
  size_t head = (most - kGap.size()) / 2;
  size_t tail = text.size() - head;
  while (head > 0 && inside_character(text[head])) --head;
  while (tail < text.size() && inside_character(text[tail])) ++tail;
  return fmt::format("{}{}{}", text.substr(0, head), kGap, text.substr(tail));
}

size_t display_width(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const char32_t point = next_character(text);
    columns += among(kWide, point) ? 2 : among(kCombining, point) ? 0 : 1;
  }
  return columns;
}

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const size_t columns = display_width(word);
    if (column > indent && column + 1 + columns > width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
    at = end + 1;
  }
  return out;
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::strchr("-_./:,=+@%", c) != nullptr;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string dashed(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace neardup::cli
