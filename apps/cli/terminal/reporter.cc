#include "cli/terminal/reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "cli/terminal/progress_line.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr std::chrono::milliseconds kShowEvery{200};
constexpr std::chrono::seconds kLogEvery{5};
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kYellow = "\033[1;33m";

// One write per line, so that lines of several programs on one terminal do not mix.
void write_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Hides secrets only in string values of a line of JSON: a user may be called "command", and a password may be a number. Escapes are left
// alone, so that the line stays JSON.
std::string hide_in_values(std::string_view line, const Secrets& secrets) {
  std::string out;
  for (size_t at = 0; at < line.size();) {
    const size_t quote = std::min(line.find('"', at), line.size());
    out += line.substr(at, quote - at);
    if (quote == line.size()) break;
    size_t end = quote + 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    end = std::min(end, line.size());
    at = std::min(end + 1, line.size());
    if (at < line.size() && line[at] == ':') {  // our own lines have no blanks there
      out += line.substr(quote, at - quote);
      continue;
    }
    out += '"';
    for (size_t i = quote + 1; i < end;) {
      const size_t escape = std::min(line.find('\\', i), end);
      out += secrets.hide(std::string(line.substr(i, escape - i)));
      i = std::min(escape + 2, end);
      out += line.substr(escape, i - escape);
    }
    out += line.substr(end, at - end);
  }
  return out;
}

}  // namespace

Reporter::Reporter(std::string_view command, Format format, bool quiet, ShowProgress show)
    : command_(command),
      format_(format),
      quiet_(quiet),
      show_(show),
      redraws_(can_redraw(STDERR_FILENO)),
      draws_line_(redraws_),
      colored_(can_color(STDERR_FILENO)) {}

std::string Reporter::colored(std::string_view text, std::string_view color) const {
  return colored_ ? fmt::format("{}{}\033[0m", color, text) : std::string(text);
}

void Reporter::event(std::string_view name, std::string_view members) {
  const std::string text =
      fmt::format("{{\"event\":\"{}\",\"command\":{}{}{}}}\n", name, json_quote(command_), members.empty() ? "" : ",", members);
  write_error(printable(hide_in_values(text, secrets_), Escapes::kJson));
}

std::string Reporter::line(std::string_view message) const {
  return printable(secrets_.hide(std::string(message)));
}

std::string Reporter::quoted(std::string_view message) const {
  return json_quote(secrets_.hide(std::string(message)));
}

void Reporter::hide_secrets_of(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    secrets_.add(word);
    if (const size_t equals = word.find('='); word.starts_with("-") && equals != std::string::npos) secrets_.add(word.substr(equals + 1));
  }
}

void Reporter::start(std::string_view text, std::string_view json) {
  if (!metrics_path_.empty()) metrics_.emplace(metrics_path_, command_);
  if (quiet_) return;
  if (format_ == Format::kJson) return event("start", json);
  // In a log it stays one line, for grep.
  const size_t indent = command_.size() + 2;
  const std::string all = line(text);
  write_error(fmt::format("{}: {}\n", command_, redraws_ ? wrapped(all, indent, terminal_width(STDERR_FILENO) - 1) : all));
}

void Reporter::write_metrics(const std::string& path) {
  metrics_path_ = path;
}

void Reporter::count(const Summary& summary) {
  if (metrics_) metric_problem(metrics_->count(summary));
}

// A run continues even if its progress cannot be written.
void Reporter::metric_problem(const std::string& problem) {
  if (!problem.empty()) warning(problem);
}

bool Reporter::reports_progress() const noexcept {
  if (quiet_ || show_ == ShowProgress::kNever) return false;
  return format_ == Format::kJson || draws_line_ || show_ == ShowProgress::kAlways;
}

bool Reporter::progress_due(const Progress& progress, Clock::time_point now) {
  const bool logged = format_ == Format::kText && !draws_line_;  // a line at a time, which stays
  const bool first = progress.pass != pass_ || progress.pass_number != pass_first_.pass_number;
  if (first) {
    pass_ = progress.pass;
    pass_start_ = now;
    pass_first_ = progress;
  }
  const bool begun = progress.bytes_done > 0 || progress.steps_done > 0;
  if (logged) return begun && now - last_shown_ >= kLogEvery;
  if (first) return format_ == Format::kJson || begun;
  return now - last_shown_ >= kShowEvery || (progress.bytes_total > 0 && progress.bytes_done >= progress.bytes_total);
}

void Reporter::progress(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (metrics_) metric_problem(metrics_->update(progress));
  if (!reports_progress()) return;
  const auto now = Clock::now();
  if (!progress_due(progress, now)) return;
  last_shown_ = now;
  const Pace pace = pace_of(progress, pass_first_, std::chrono::duration<double>(now - pass_start_).count());
  if (format_ == Format::kText && draws_line_) {
    // One column stays free: at the last one, some terminals begin a new line.
    write_error(fmt::format("\r\033[K{}", progress_line(progress, pace, terminal_width(STDERR_FILENO) - 1, colored_)));
    progress_shown_ = true;
    return;
  }
  if (format_ == Format::kText) return write_error(fmt::format("{}: {}\n", command_, progress_text(progress, pace)));
  const auto number = [](const std::optional<double>& value, double unit) {
    return value ? fmt::format("{:.1f}", *value * unit) : std::string("null");
  };
  event("progress", fmt::format(R"("pass":{},"pass_number":{},"passes":{},"percent":{},"eta_seconds":{},"bytes_done":{},"bytes_total":{},)"
                                R"("documents":{},"duplicates":{},"rejected":{},"bytes_per_second":{:.0f},"documents_per_second":{:.0f})",
                                json_quote(progress.pass), progress.pass_number, progress.pass_count, number(pace.share, 100),
                                number(pace.left_seconds, 1), progress.bytes_done, progress.bytes_total, progress.documents,
                                progress.duplicates, progress.rejected, pace.bytes_per_second, pace.documents_per_second));
}

void Reporter::erase_progress() {
  if (progress_shown_) write_error("\r\033[K");
  progress_shown_ = false;
}

void Reporter::finish(const RunReport& report, const std::vector<std::string>& outputs, bool dry_run) {
  erase_progress();
  if (metrics_) metric_problem(metrics_->finish(true));
  if (quiet_) return;
  if (format_ == Format::kJson) {
    for (const std::string& warning : report.warnings) event("warning", fmt::format("\"message\":{}", quoted(warning)));
    std::string names;
    for (const std::string& output : outputs) names += fmt::format("{}{}", names.empty() ? "" : ",", quoted(output));
    return event("summary", fmt::format("\"summary\":{},\"outputs\":[{}],\"dry_run\":{}", report.json, names, dry_run));
  }
  std::string text;
  for (const std::string& warning : report.warnings) text += fmt::format("{} {}\n", colored("warning:", kYellow), line(warning));
  text += printable(secrets_.hide(report.text), Escapes::kLines);
  if (dry_run) text += "nothing was written (--dry-run)\n";
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool printed = outputs[i] == "-";
    const std::string_view before = i > 0 ? ", " : printed ? "wrote to " : "wrote ";
    text += fmt::format("{}{}{}", before, printed ? "standard output" : line(outputs[i]), i + 1 == outputs.size() ? "\n" : "");
  }
  text += printable(secrets_.hide(report.next), Escapes::kLines);
  write_error(text);
}

void Reporter::note(std::string_view message) {
  erase_progress();
  if (quiet_) return;
  if (format_ == Format::kJson) return event("note", fmt::format("\"message\":{}", quoted(message)));
  write_error(fmt::format("{}: {}\n", command_, line(message)));
}

void Reporter::warning(std::string_view message) {
  const std::lock_guard lock(mutex_);
  erase_progress();
  if (quiet_) return;
  if (format_ == Format::kJson) return event("warning", fmt::format("\"message\":{}", quoted(message)));
  write_error(fmt::format("{} {}\n", colored("warning:", kYellow), line(message)));
}

void Reporter::fail(std::string_view message) {
  erase_progress();
  if (metrics_) static_cast<void>(metrics_->finish(false));
  if (format_ == Format::kJson) {
    const std::string resume = resume_.empty() ? "" : fmt::format(",\"resume\":{}", quoted(resume_));
    return event("error", fmt::format("\"message\":{}{}", quoted(message), resume));
  }
  const std::string program = fmt::format("neardup{}{}:", command_.empty() ? "" : " ", command_);
  write_error(fmt::format("{} {}", colored(program, kRed), line(message)));
}

void Reporter::error(std::string_view message, std::string_view hint) {
  fail(message);
  if (format_ == Format::kJson) return;
  std::string more = "\n";
  if (!hint.empty()) more += fmt::format("{}\n", line(hint));
  if (!resume_.empty()) more += fmt::format("Progress is saved; continue with: {}\n", line(resume_));
  write_error(more);
}

void Reporter::stopped(bool to_files) {
  const std::string_view outputs = outputs_written_ ? "; the outputs are written" : "; no output was written";
  fail(fmt::format("interrupted{}", to_files ? outputs : ""));
  if (format_ == Format::kJson) return;
  write_error(resume_.empty() ? "\n" : fmt::format(". Progress is saved; continue with: {}\n", line(resume_)));
}

}  // namespace neardup::cli
