#include "dedup/pass/pass_clock.h"

#include <algorithm>

namespace neardup {

Progress PassMonitor::begin(std::string_view pass) const {
  Progress report = totals != nullptr ? *totals : Progress{};
  report.pass = pass;
  return report;
}

void PassClock::drop_expected_passes(uint32_t passes) noexcept {
  totals_.pass_count -= std::min(totals_.pass_count, passes);
}

void PassClock::add(const std::string& name, double seconds, uint64_t bytes) {
  const auto found = std::ranges::find(reports_, name, &PassReport::name);
  if (found == reports_.end()) {
    reports_.push_back({name, seconds, bytes});
    return;
  }
  found->seconds += seconds;
  found->bytes += bytes;
}

}  // namespace neardup
