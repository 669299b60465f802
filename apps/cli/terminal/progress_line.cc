#include "cli/terminal/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

constexpr size_t kMinBar = 8;  // cells between the brackets
constexpr size_t kMaxBar = 30;
constexpr size_t kBarFrame = 3;  // a blank and two brackets

// Not rounded: 100 % means that the pass is done.
unsigned whole_percent(double share) {
  return static_cast<unsigned>(std::floor(100 * std::clamp(share, 0.0, 1.0)));
}

// How far the pass is. On a terminal as wide for 5 % as for 100 %, so that the values after it do not jump.
std::string done_part(const Progress& now, const Pace& pace, bool padded) {
  if (!pace.share) return now.steps_total == 0 ? data_size(now.bytes_done) : "";
  return padded ? fmt::format("{:3} %", whole_percent(*pace.share)) : fmt::format("{} %", whole_percent(*pace.share));
}

std::string left_part(const Pace& pace) {
  return pace.left_seconds && *pace.left_seconds > 0 ? clock_time(*pace.left_seconds) : "";
}

// "sketch (1/5)"
std::string number_part(const Progress& now) {
  return now.pass_count > 0 ? fmt::format(" ({}/{})", now.pass_number, now.pass_count) : "";
}

// What follows the remaining time, the most important first.
std::vector<std::string> detail_parts(const Progress& now, const Pace& pace) {
  std::vector<std::string> parts;
  const bool reads = now.steps_total == 0;
  if (pace.bytes_per_second > 0) parts.push_back(fmt::format("{}/s", data_size(static_cast<uint64_t>(pace.bytes_per_second))));
  if (reads) parts.push_back(counted(now.documents, "document"));
  if (now.duplicates > 0) parts.push_back(counted(now.duplicates, "duplicate"));
  if (reads && pace.share) parts.push_back(data_size(now.bytes_total) + " in total");
  return parts;
}

void append_part(std::string_view part, std::string& line) {
  if (part.empty()) return;
  if (!line.empty()) line += ", ";
  line += part;
}

std::string bar(double share, size_t cells, bool colored) {
  const auto full = static_cast<size_t>(std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells)));
  return fmt::format(" [{}{}{}{}]", colored ? "\033[32m" : "", std::string(full, '#'), colored ? "\033[0m" : "",
                     std::string(cells - full, '-'));
}

}  // namespace

Pace pace_of(const Progress& now, const Progress& since, double seconds) {
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

std::string progress_line(const Progress& now, const Pace& pace, size_t columns, bool colored) {
  std::string values = done_part(now, pace, true);
  if (display_width(values) > columns) return {};
  std::string with_time = values;
  append_part(left_part(pace), with_time);
  const bool has_time = with_time != values && display_width(with_time) <= columns;
  if (has_time) values = with_time;
  std::string head;
  // Each other part is added if it fits, in the order of importance. The first one that does not fit ends the line: a shorter one after it
  // would come and go as numbers grow.
  size_t free = columns - display_width(values);
  const auto fits = [&](size_t width) {
    if (width > free) {
      free = 0;
      return false;
    }
    free -= width;
    return true;
  };
  constexpr std::string_view kLeft = " left";
  if (has_time && fits(kLeft.size())) values += kLeft;
  if (fits(display_width(now.pass) + (values.empty() ? 0 : 1))) head = now.pass;
  if (!head.empty()) {
    if (const std::string number = number_part(now); fits(number.size())) head += number;
  }
  const size_t cells = std::clamp(columns / 5, kMinBar, kMaxBar);  // a function of the width alone, so that the bar does not jump
  const bool has_bar = pace.share && !head.empty() && fits(cells + kBarFrame);
  for (const std::string& part : detail_parts(now, pace)) {
    if (!fits(part.size() + 2)) break;
    append_part(part, values);
  }
  if (head.empty()) return values;
  return fmt::format("{}{}{}{}", head, has_bar ? bar(*pace.share, cells, colored) : "", values.empty() ? "" : " ", values);
}

std::string progress_text(const Progress& now, const Pace& pace) {
  std::string values = done_part(now, pace, false);
  if (const std::string left = left_part(pace); !left.empty()) append_part(left + " left", values);
  for (const std::string& part : detail_parts(now, pace)) append_part(part, values);
  return fmt::format("{}{}{}{}", now.pass, number_part(now), values.empty() ? "" : ": ", values);
}

}  // namespace neardup::cli
