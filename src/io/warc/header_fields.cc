#include "io/warc/header_fields.h"

#include <algorithm>
#include <charconv>

namespace neardup {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) noexcept {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

size_t header_end(std::string_view bytes, size_t from) noexcept {
  constexpr size_t kLongestEnd = 3;  // "\n\r\n"
  size_t at = from > kLongestEnd ? from - kLongestEnd : 0;
  for (at = bytes.find('\n', at); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes.substr(at + 1, 1) == "\n") return at + 2;
    if (bytes.substr(at + 1, 2) == "\r\n") return at + 3;
  }
  return std::string_view::npos;
}

std::string_view HeaderFields::operator[](std::string_view name) const noexcept {
  for (std::string_view rest = header_; !rest.empty();) {
    const size_t newline = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    if (line.size() > name.size() && same_word(line.substr(0, name.size()), name)) {
      const std::string_view after = trimmed(line.substr(name.size()));
      if (after.starts_with(':')) return trimmed(after.substr(1));
    }
  }
  return {};
}

std::string_view media_type(std::string_view content_type) noexcept {
  return trimmed(content_type.substr(0, content_type.find(';')));
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<uint64_t> whole_number(std::string_view text) noexcept {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace neardup
