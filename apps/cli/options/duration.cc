#include "cli/options/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "neardup/error.h"

namespace neardup::cli {

uint64_t duration_ms(const Invocation& invocation, std::string_view name, uint64_t otherwise) {
  if (!invocation.has(name)) return otherwise;
  struct Unit {
    std::string_view name;
    uint64_t ms;
  };
  constexpr std::array kUnits{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"m", 60'000}, Unit{"h", 3'600'000}, Unit{"d", 86'400'000}};
  const std::string text = invocation.value(name);
  uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  const auto* const found = std::ranges::find(kUnits, unit, &Unit::name);
  if (error != std::errc() || found == kUnits.end() || count == 0 || count > std::numeric_limits<uint32_t>::max()) {
    throw Error(ErrorCode::kUsage, fmt::format("--{}: expected a number from 1 to {} and a unit, such as 90s, 15m, 36h or 7d, not '{}'",
                                               name, std::numeric_limits<uint32_t>::max(), text));
  }
  return count * found->ms;
}

std::string duration_label(uint64_t ms) {
  if (ms % 86'400'000 == 0) return fmt::format("{} d", ms / 86'400'000);
  if (ms % 3'600'000 == 0) return fmt::format("{} h", ms / 3'600'000);
  if (ms % 1000 == 0) return fmt::format("{} s", ms / 1000);
  return fmt::format("{} ms", ms);
}

}  // namespace neardup::cli
