#include "cli/options/local_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "cli/options/check_invocation.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

template <typename Number>
Number bounded(const Invocation& invocation, std::string_view name, Number otherwise, Number min, Number max) {
  if (!invocation.has(name)) return otherwise;
  const std::string text = invocation.value(name);
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= min && value <= max) return value;
  const std::string bounds =
      max == std::numeric_limits<Number>::max() ? fmt::format("a whole number of at least {}", min) : fmt::format("{} to {}", min, max);
  throw Error(ErrorCode::kUsage, fmt::format("--{}: expected {}, not '{}'", name, bounds, text));
}

}  // namespace

std::vector<LocalOption> with_run_options(std::vector<LocalOption> options) {
  constexpr std::string_view kReport = "Report";
  const std::vector<LocalOption> common{
      {"--rejects", "FILE", "Outputs", "unreadable records, unchanged", false, kReportEndings},
      {"--summary", "FILE", kReport, "the summary as JSON", false, kReportEndings},
      {"--metrics", "FILE", kReport, "progress in Prometheus text format, once a second"},
      {"--log-format", "text|json", kReport, "messages as text, or as one JSON object per line [text]"},
      {"--progress", "auto|always|never", kReport, "auto: on a terminal; always: elsewhere too, a line every few seconds [auto]"},
      {"-q,--quiet", "", kReport, "print only errors"},
      {"-v,--verbose", "", kReport, "the summary also tells how pairs were searched, and the seconds and bytes of each pass"},
  };
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

LocalOption config_option() {
  return {"--config", "FILE", "Inputs",
          "options in a TOML file, such as threshold = 0.8 and inputs = [\"a.jsonl\"]; the command line wins"};
}

uint64_t local_number(const Invocation& invocation, std::string_view name, uint64_t otherwise, uint64_t min, uint64_t max) {
  return bounded(invocation, name, otherwise, min, max);
}

double local_amount(const Invocation& invocation, std::string_view name, double otherwise, double min, double max) {
  return bounded(invocation, name, otherwise, min, max);
}

void refuse_table_options(const Invocation& invocation, std::string_view verb, std::initializer_list<std::string_view> allowed) {
  for (const OptionRow& row : option_table()) {
    const std::string name = dashed(row.name);
    if (!invocation.has(name) || std::ranges::find(allowed, name) != allowed.end()) continue;
    throw Error(ErrorCode::kUsage, fmt::format("neardup {} takes no --{}", verb, name));
  }
}

}  // namespace neardup::cli
