#include "neardup/tools/threshold.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "neardup/error.h"

namespace neardup {

namespace {

constexpr int64_t kMaxExponent = 1000;
constexpr int kThresholdDecimals = 6;

// "3", "-3", "+03" after an 'e'; nothing for anything else.
std::optional<int64_t> parse_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;  // from_chars() accepts a sign; a second one is an error
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::clamp(value, -kMaxExponent, kMaxExponent);
}

}  // namespace

Threshold::Threshold(double value) : millionths_(0) {
  const double scaled = value * static_cast<double>(kOne);
  if (!(scaled >= 0.5 && scaled <= static_cast<double>(kOne))) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is not above 0 and at most 1, in millionths", value));
  }
  millionths_ = static_cast<uint32_t>(std::lround(scaled));
}

// Digits are counted, never multiplied as floating point: "0.1" and "1e-1" are the same millionths everywhere.
Threshold Threshold::parse(std::string_view text) {
  const auto fail = [&](std::string_view why) -> Threshold {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' {}: expected a decimal fraction above 0 and at most 1", text, why));
  };
  const bool negative = text.starts_with('-');
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  std::string digits;
  int64_t decimals = 0;
  bool point = false;
  for (const char c : text.substr(negative ? 1 : 0, mark - (negative ? 1 : 0))) {
    if (c == '.' && !point) {
      point = true;
    } else if (is_ascii_digit(c)) {
      digits += c;
      decimals += point ? 1 : 0;
    } else {
      return fail("is not a number");
    }
  }
  if (digits.empty()) return fail("is not a number");
  if (mark < text.size()) {
    const auto exponent = parse_exponent(text.substr(mark + 1));
    if (!exponent) return fail("is not a number");
    decimals -= *exponent;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty() || negative) return fail("is not above 0");
  for (; digits.ends_with('0'); --decimals) digits.pop_back();
  // Of the value d.ddd, as digits * 10^-decimals, only 1 has no decimals, and none has digits before the point.
  if (static_cast<int64_t>(digits.size()) > decimals && !(digits == "1" && decimals == 0)) return fail("is above 1");
  if (decimals > kThresholdDecimals) return fail("has more than six decimals");
  uint64_t millionths = 0;
  for (const char c : digits) millionths = millionths * 10 + static_cast<uint64_t>(c - '0');
  for (int64_t i = decimals; i < kThresholdDecimals; ++i) millionths *= 10;
  return from_millionths(static_cast<uint32_t>(millionths));
}

}  // namespace neardup
