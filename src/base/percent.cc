#include "base/percent.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace neardup {
namespace {

constexpr uint64_t kOnePercent = 10'000;  // millionths

bool read_percent_digits(std::string_view digits, uint64_t& value) noexcept {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::optional<uint32_t> parse_percent(std::string_view text) noexcept {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const size_t dot = std::min(text.find('.'), text.size());
  uint64_t value = 0;
  if (!read_percent_digits(text.substr(0, dot), value) || value > 100) return std::nullopt;
  uint64_t millionths = value * kOnePercent;
  if (dot < text.size()) {
    const std::string_view decimals = text.substr(dot + 1);
    uint64_t fraction = 0;
    if (decimals.size() > kPercentDecimals || !read_percent_digits(decimals, fraction)) return std::nullopt;
    for (size_t i = decimals.size(); i < kPercentDecimals; ++i) fraction *= 10;
    millionths += fraction;
  }
  if (millionths > kWholeMillionths) return std::nullopt;
  return static_cast<uint32_t>(millionths);
}

std::string percent_text(uint64_t millionths) {
  std::string text = fmt::format("{}.{:04}", millionths / kOnePercent, millionths % kOnePercent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + "%";
}

// The share is rounded down to whole ones without leaving 64 bits.
bool is_above_share(uint64_t part, uint64_t whole, uint64_t millionths) noexcept {
  return part > whole / kWholeMillionths * millionths + whole % kWholeMillionths * millionths / kWholeMillionths;
}

}  // namespace neardup
