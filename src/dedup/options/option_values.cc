#include "dedup/options/option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "base/percent.h"
#include "neardup/error.h"
#include "neardup/options.h"

namespace neardup {
namespace {

struct SizeUnit {
  std::string_view name;  // upper case
  uint64_t bytes;
};

constexpr SizeUnit kSizeUnits[] = {{"K", 1'000},
                                   {"M", 1'000'000},
                                   {"G", 1'000'000'000},
                                   {"T", 1'000'000'000'000},
                                   {"KI", uint64_t{1} << 10},
                                   {"MI", uint64_t{1} << 20},
                                   {"GI", uint64_t{1} << 30},
                                   {"TI", uint64_t{1} << 40}};

char upper(char letter) noexcept {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// "K", "kB", "KiB"; nothing, or "B" alone, are bytes. Null for an unknown unit.
const SizeUnit* size_unit(std::string_view text) {
  static constexpr SizeUnit kByte{"", 1};
  if (text.size() > 3) return nullptr;
  std::string name(text);
  std::ranges::transform(name, name.begin(), upper);
  if (name.ends_with('B')) name.pop_back();
  if (name.empty()) return &kByte;
  const auto* const found = std::ranges::find(kSizeUnits, name, &SizeUnit::name);
  return found == std::end(kSizeUnits) ? nullptr : found;
}

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

Threshold parse_share(std::string_view option, std::string_view text) {
  const auto millionths = parse_percent(text);
  if (!millionths) fail(option, text, fmt::format("a percentage from 0% to 100% with at most {} decimals, such as 60%", kPercentDecimals));
  return Threshold::from_millionths(*millionths);
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

std::vector<FieldValue> parse_field_values(std::string_view option, std::string_view text) {
  std::vector<FieldValue> values;
  for (const std::string& part : parse_list(option, text)) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) fail(option, part, "FIELD=VALUE, or several separated by commas");
    values.push_back({part.substr(0, equals), part.substr(equals + 1)});
    if (values.back().field.find("[*]") != std::string::npos)
      fail(option, part, "FIELD=VALUE with a field that is not an element of an array");
  }
  return values;
}

size_t parse_choice(std::string_view option, std::string_view text, std::initializer_list<std::string_view> names) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) fail(option, text, fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<size_t>(found - names.begin());
}

uint64_t parse_bytes(std::string_view option, std::string_view text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const SizeUnit* const unit = size_unit(text.substr(end));
  uint64_t value = 0;
  if (unit == nullptr || !read_digits(text.substr(0, end), value)) {
    fail(option, text, "a number of bytes, with K, M, G or T for powers of 1000 or KiB, MiB, GiB or TiB for powers of 1024, such as 512M");
  }
  if (value > std::numeric_limits<uint64_t>::max() / unit->bytes) fail(option, text, "a number of bytes below 2^64");
  return value * unit->bytes;
}

std::string format_bytes_exactly(uint64_t bytes) {
  std::string shortest = fmt::format("{}", bytes);
  if (bytes == 0) return shortest;
  for (const SizeUnit& unit : kSizeUnits) {
    if (bytes % unit.bytes != 0) continue;
    const bool binary = unit.name.size() == 2;
    std::string text = fmt::format("{}{}{}", bytes / unit.bytes, unit.name.front(), binary ? "iB" : "");
    if (text.size() <= shortest.size()) shortest = std::move(text);
  }
  return shortest;
}

std::string format_fraction(Threshold threshold) {
  std::string text = fmt::format("{}.{:06}", threshold.millionths() / Threshold::kOne, threshold.millionths() % Threshold::kOne);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace neardup
