#include "cli/evaluate/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/options/suggest.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr int64_t kMillion = 1'000'000;

[[noreturn]] void fail_sweep(const std::string& what) {
  throw Error(ErrorCode::kUsage, fmt::format("--sweep: {}", what));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

const OptionRow& sweepable(std::string_view name, std::string_view command) {
  std::string wanted(name);
  std::ranges::replace(wanted, '-', '_');
  std::vector<std::string> names;
  for (const OptionRow& row : option_table()) {
    if (row.group != "Which texts match" && row.group != "Which documents are kept") continue;
    const std::vector<std::string> commands = split(row.commands, ' ');
    if (std::ranges::find(commands, command) == commands.end()) continue;
    if (row.name == wanted) return row;
    names.emplace_back(row.name);
  }
  const std::string meant = nearest(wanted, names);
  fail_sweep(fmt::format("'{}' is not an option that decides which texts match or are kept{}", name,
                         meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

// A number with at most six decimals, in millionths: sums of steps are exact.
std::optional<int64_t> decimal(std::string_view text) {
  int64_t whole = 0;
  const size_t dot = std::min(text.find('.'), text.size());
  const std::string_view fraction = text.substr(std::min(dot + 1, text.size()));
  const auto digits = [](std::string_view part) { return part.find_first_not_of("0123456789") == std::string_view::npos; };
  if (text.empty() || text == "." || dot > 9 || fraction.size() > 6 || !digits(text.substr(0, dot)) || !digits(fraction)) {
    return std::nullopt;
  }
  if (dot > 0) std::from_chars(text.data(), text.data() + dot, whole);
  int64_t millionths = 0;
  for (size_t i = 0; i < 6; ++i) millionths = millionths * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
  return whole * kMillion + millionths;
}

std::string decimal_text(int64_t millionths) {
  std::string text = fmt::format("{}.{:06}", millionths / kMillion, millionths % kMillion);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// "0.5:0.95:0.05" into its values; nothing if it is not a range.
std::optional<std::vector<std::string>> range_values(std::string_view text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto from = decimal(parts[0]);
  const auto to = decimal(parts[1]);
  const auto step = decimal(parts[2]);
  if (!from || !to || !step) return std::nullopt;
  if (*step == 0 || *to < *from) fail_sweep(fmt::format("'{}': expected FROM:TO:STEP with a step above 0 and TO not below FROM", text));
  if ((*to - *from) / *step >= static_cast<int64_t>(kMaxSettings)) {
    fail_sweep(fmt::format("'{}' has more than {} values", text, kMaxSettings));
  }
  std::vector<std::string> values;
  for (int64_t value = *from; value <= *to; value += *step) values.push_back(decimal_text(value));
  return values;
}

std::vector<std::string> values_of(std::string_view text) {
  if (auto range = range_values(text)) return *range;
  std::vector<std::string> values;
  for (const std::string& value : split(text, ',')) values.emplace_back(trimmed(value));
  return values;
}

}  // namespace

std::vector<Setting> parse_sweep(std::string_view text, std::string_view command) {
  std::vector<Setting> settings{{}};
  for (const std::string& part : split(text, ';')) {
    const std::string_view assignment = trimmed(part);
    if (assignment.empty()) continue;
    const size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
      fail_sweep(fmt::format("'{}': expected NAME=FROM:TO:STEP or NAME=VALUE,VALUE,...", assignment));
    }
    const OptionRow& row = sweepable(trimmed(assignment.substr(0, equals)), command);
    if (std::ranges::any_of(settings.front(), [&](const auto& known) { return known.first == row.name; })) {
      fail_sweep(fmt::format("'{}' is given twice", row.name));
    }
    std::vector<Setting> more;
    for (const Setting& setting : settings) {
      for (const std::string& value : values_of(trimmed(assignment.substr(equals + 1)))) {
        more.push_back(setting);
        more.back().emplace_back(row.name, value);
        if (more.size() > kMaxSettings) fail_sweep(fmt::format("more than {} settings", kMaxSettings));
      }
    }
    settings = std::move(more);
  }
  if (settings.front().empty()) fail_sweep("no option is given; expected for instance 'threshold=0.5:0.9:0.1'");
  return settings;
}

Options with_setting(Options options, const Setting& setting) {
  for (const auto& [name, value] : setting) std::ranges::find(option_table(), name, &OptionRow::name)->set(options, value);
  return options;
}

std::string setting_label(const Setting& setting) {
  std::string label;
  for (const auto& [name, value] : setting) label += fmt::format("{}{} {}", label.empty() ? "" : ", ", dashed(name), value);
  return label;
}

}  // namespace neardup::cli
