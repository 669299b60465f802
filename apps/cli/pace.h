// Pace: how fast a pass goes, how much of it is done, and how long it still takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "neardup/dedup.h"

namespace neardup::cli {

struct Pace {
  double bytes_per_second = 0;
  double documents_per_second = 0;
  std::optional<double> share;         ///< 0 to 1; nothing where the total is unknown
  std::optional<double> left_seconds;  ///< of this pass
};

/// `since` is the first report of the pass, so many seconds ago: rates count from there.
inline Pace pace_of(const Progress& now, const Progress& since, double seconds) {
  const auto rate = [seconds](uint64_t value, uint64_t before) {
    return seconds > 0 && value > before ? static_cast<double>(value - before) / seconds : 0;
  };
  Pace pace;
  pace.bytes_per_second = rate(now.bytes_done, since.bytes_done);
  pace.documents_per_second = rate(now.documents, since.documents);
  const bool steps = now.steps_total > 0;
  const uint64_t done = steps ? now.steps_done : now.bytes_done;
  const uint64_t total = steps ? now.steps_total : now.bytes_total;
  if (total == 0) return pace;
  pace.share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double speed = steps ? rate(now.steps_done, since.steps_done) : pace.bytes_per_second;
  if (done >= total) {
    pace.left_seconds = 0;
  } else if (speed > 0) {
    pace.left_seconds = static_cast<double>(total - done) / speed;
  }
  return pace;
}

}  // namespace neardup::cli
