#include "neardup/threshold.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {

Threshold Threshold::parse(std::string_view text) {
  const auto fail = [&](std::string_view why) -> Threshold {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' {}: expected a decimal fraction above 0 and at most 1, such as 0.8", text, why));
  };
  size_t at = 0;
  uint64_t whole = 0;
  bool any = false;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, any = true) {
    whole = whole * 10 + static_cast<uint64_t>(text[at] - '0');
    if (whole > 1) return fail("is above 1");
  }
  uint64_t millionths = whole * kOne;
  if (at < text.size() && text[at] == '.') {
    uint64_t unit = kOne / 10;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, any = true) {
      if (unit == 0) {
        if (text[at] != '0') return fail("has more than six decimals");
        continue;
      }
      millionths += static_cast<uint64_t>(text[at] - '0') * unit;
      unit /= 10;
    }
  }
  if (!any || at != text.size()) return fail("is not a number");
  if (millionths == 0) return fail("is not above 0");
  if (millionths > kOne) return fail("is above 1");
  return from_millionths(static_cast<uint32_t>(millionths));
}

}  // namespace neardup
