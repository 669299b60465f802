#include "dedup/pass/pass_clock.h"

#include <algorithm>

namespace neardup {

Progress PassMonitor::begin(std::string_view pass) const {
  Progress report = totals != nullptr ? *totals : Progress{};
  report.pass = pass;
  return report;
}

void PassClock::skip_passes(uint32_t passes) noexcept {
  if (totals_.pass_count != 0) totals_.pass_number = std::min(totals_.pass_count, totals_.pass_number + passes);
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
