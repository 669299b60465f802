// Percentages as options have them: "60%", "2.5%", exactly, in millionths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr uint64_t kWholeMillionths = 1'000'000;
inline constexpr size_t kPercentDecimals = 4;

/// From 0% to 100%, with at most kPercentDecimals decimals; nothing for any other text.
std::optional<uint32_t> parse_percent(std::string_view text) noexcept;
/// The inverse of parse_percent, as short as possible.
std::string percent_text(uint64_t millionths);

/// True if `part` is more than this share of `whole`. Exact, whatever the numbers.
bool is_above_share(uint64_t part, uint64_t whole, uint64_t millionths) noexcept;

}  // namespace neardup
