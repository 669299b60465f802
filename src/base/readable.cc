#include "neardup/tools/readable.h"

#include <fmt/format.h>

#include <array>

namespace neardup {

std::string grouped(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string counted(uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string counted(uint64_t number, std::string_view noun) {
  return counted(number, noun, fmt::format("{}s", noun));
}

std::string data_size(uint64_t bytes) {
  constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return counted(bytes, "byte");
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  // 1023.95 would be printed as 1024.0
  for (; value >= 1023.95 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string percent(double fraction) {
  if (fraction > 0 && fraction < 1e-6) return "less than 0.0001 %";  // where {:.2g} would have an exponent
  const double value = 100 * fraction;
  return value >= 10 ? fmt::format("{:.0f} %", value) : fmt::format("{:.2g} %", value);
}

}  // namespace neardup
