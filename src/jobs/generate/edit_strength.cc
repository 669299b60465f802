// EditStrength: its text form, and the number of units that it means.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "neardup/error.h"
#include "neardup/tools/generate.h"

namespace neardup {
namespace {

constexpr uint64_t kMaxUnits = 10'000;  // a copy has to fit in memory, and its features with it
constexpr uint64_t kWhole = 1'000'000;  // millionths

bool parse_digits(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// "2.5" as millionths of a hundred: 25,000.
bool parse_percent(std::string_view text, uint64_t& millionths) {
  constexpr size_t kDecimals = 4;
  const size_t dot = text.find('.');
  const std::string_view decimals = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  if (decimals.size() > kDecimals || (dot != std::string_view::npos && decimals.empty())) return false;
  uint64_t whole = 0;
  if (!parse_digits(text.substr(0, dot), whole) || whole > 100) return false;
  uint64_t rest = 0;
  if (!decimals.empty() && !parse_digits(decimals, rest)) return false;
  for (size_t i = decimals.size(); i < kDecimals; ++i) rest *= 10;
  millionths = whole * (kWhole / 100) + rest;
  return millionths > 0 && millionths <= kWhole;
}

}  // namespace

EditStrength EditStrength::parse(std::string_view text) {
  EditStrength made;
  made.label_ = text;
  const bool good = text.ends_with('%') ? parse_percent(text.substr(0, text.size() - 1), made.millionths_)
                                        : parse_digits(text, made.number_) && made.number_ >= 1 && made.number_ <= kMaxUnits;
  if (!good) {
    throw Error(ErrorCode::kUsage,
                fmt::format("strength: expected a share above 0% and at most 100%, such as 5% or 0.5%, or a number of words "
                            "from 1 to {}, not '{}'",
                            kMaxUnits, text));
  }
  return made;
}

uint64_t EditStrength::of(uint64_t units) const noexcept {
  if (number_ > 0) return number_;
  return std::max<uint64_t>(1, (units * millionths_ + kWhole / 2) / kWhole);
}

}  // namespace neardup
