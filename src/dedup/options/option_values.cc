#include "dedup/options/option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "neardup/error.h"
#include "neardup/options.h"

namespace neardup {
namespace {

constexpr std::string_view kUnits = "KMGT";

[[noreturn]] void fail(std::string_view option, std::string_view text, std::string_view expected) {
  throw Error(ErrorCode::kUsage, fmt::format("{}: expected {}, not '{}'", option, expected, text));
}

// False for anything but digits, and for numbers of more than 64 bits.
bool read_digits(std::string_view text, uint64_t& value) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// The same, and "1e6", which cannot mean anything but a million.
bool read_integer(std::string_view text, uint64_t& value) noexcept {
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  uint64_t exponent = 0;
  if (!read_digits(text.substr(0, mark), value)) return false;
  if (mark < text.size() && !read_digits(text.substr(mark + 1), exponent)) return false;
  for (; exponent > 0 && value > 0; --exponent) {
    if (value > std::numeric_limits<uint64_t>::max() / 10) return false;
    value *= 10;
  }
  return true;
}

}  // namespace

uint64_t parse_number(std::string_view option, std::string_view text, uint64_t min, uint64_t max) {
  uint64_t value = 0;
  if (!read_integer(text, value) || value < min || value > max) {
    fail(option, text, fmt::format("a whole number from {} to {}", min, max));
  }
  return value;
}

bool parse_flag(std::string_view option, std::string_view text) {
  if (text != "true" && text != "false") fail(option, text, "true or false");
  return text == "true";
}

Threshold parse_fraction(std::string_view option, std::string_view text, std::string_view example) {
  try {
    return Threshold::parse(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}, such as {}", option, error.what(), example));
  }
}

std::vector<std::string> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    parts.emplace_back(text.substr(at, comma - at));
    if (parts.back().empty()) fail(option, text, "one name or several, separated by commas, none of them empty");
    at = comma + 1;
  }
  return parts;
}

size_t parse_choice(std::string_view option, std::string_view text, std::initializer_list<std::string_view> names) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) fail(option, text, fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<size_t>(found - names.begin());
}

uint64_t parse_bytes(std::string_view option, std::string_view text) {
  constexpr std::string_view kExpected = "a number of bytes, followed by K, M, G or T for powers of 1024, such as 512M";
  std::string_view digits = text;
  unsigned shift = 0;
  if (!digits.empty()) {
    const char last = digits.back();
    const char upper = last >= 'a' && last <= 'z' ? static_cast<char>(last - 'a' + 'A') : last;
    if (const size_t unit = kUnits.find(upper); unit != std::string_view::npos) {
      shift = 10 * static_cast<unsigned>(unit + 1);
      digits.remove_suffix(1);
    }
  }
  uint64_t value = 0;
  if (!read_digits(digits, value)) fail(option, text, kExpected);
  if (value > std::numeric_limits<uint64_t>::max() >> shift) fail(option, text, "a number of bytes below 2^64");
  return value << shift;
}

std::string format_bytes_exactly(uint64_t bytes) {
  for (size_t unit = kUnits.size(); unit > 0; --unit) {
    const uint64_t size = uint64_t{1} << (10 * unit);
    if (bytes != 0 && bytes % size == 0) return fmt::format("{}{}", bytes / size, kUnits[unit - 1]);
  }
  return fmt::format("{}", bytes);
}

std::string format_fraction(Threshold threshold) {
  std::string text = fmt::format("{}.{:06}", threshold.millionths() / Threshold::kOne, threshold.millionths() % Threshold::kOne);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace neardup
