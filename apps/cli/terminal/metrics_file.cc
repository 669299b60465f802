#include "cli/terminal/metrics_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "neardup/error.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/result_file.h"

namespace neardup::cli {
namespace {

constexpr auto kWriteEvery = std::chrono::seconds(1);

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP neardup_{0} {2}\n# TYPE neardup_{0} {1}\n", name, type, help);
}

template <typename Value>
std::string metric(std::string_view name, std::string_view type, std::string_view help, Value value) {
  return head(name, type, help) + fmt::format("neardup_{} {}\n", name, value);
}

}  // namespace

MetricsFile::MetricsFile(std::string path, std::string command)
    : path_(std::move(path)), command_(std::move(command)), started_(seconds_since_1970()), pass_start_(Clock::now()) {
  ResultFile(path_).write(text());
  last_write_ = Clock::now();
}

MetricsFile::~MetricsFile() {
  try {
    if (running_) static_cast<void>(finish(false));
  } catch (const std::exception&) {  // no memory: the file stays as it was
  }
}

std::string MetricsFile::update(const Progress& progress) {
  const auto now = Clock::now();
  note(progress, now);
  return now - last_write_ < kWriteEvery ? std::string() : write();
}

// A pass begins where the previous one ended; a later reading of the input begins at 0 bytes again. With slices a pass begins several times
// and its values add up.
void MetricsFile::begin(const Progress& progress, Clock::time_point now) {
  if (!passes_.empty()) pass_start_ = now;
  const auto found = std::ranges::find(passes_, progress.pass, &Pass::name);
  pass_ = static_cast<size_t>(found - passes_.begin());
  if (found == passes_.end()) passes_.push_back({.name = std::string(progress.pass)});
  before_ = passes_[pass_];
  at_start_ = progress;
  at_start_.pass = {};
  last_.bytes_done = progress.bytes_done;
}

void MetricsFile::note(const Progress& progress, Clock::time_point now) {
  if (passes_.empty() || passes_[pass_].name != progress.pass) begin(progress, now);
  Pass& pass = passes_[pass_];
  const auto more = [](uint64_t count, uint64_t at_start) { return count - std::min(count, at_start); };
  pass.seconds = before_.seconds + std::chrono::duration<double>(now - pass_start_).count();
  pass.bytes = std::max(pass.bytes, before_.bytes + more(progress.bytes_done, at_start_.bytes_done));
  pass.documents = std::max(pass.documents, before_.documents + more(progress.documents, at_start_.documents));
  bytes_read_ += progress.bytes_done - std::min(progress.bytes_done, last_.bytes_done);
  read_ = std::max(read_, progress.documents);
  if (command_ == "dedup") removed_ = std::max(removed_, progress.duplicates);
  if (progress.rejected >= rejected_.total()) rejected_ = progress.rejected_by_kind;
  last_ = progress;
  last_.pass = {};  // a view that does not last
}

std::string MetricsFile::count(const Summary& summary) {
  read_ = summary.read + summary.reference_documents;
  kept_ = summary.kept;
  removed_ = summary.removed;
  rejected_ = summary.rejected_by_kind;
  for (const PassReport& report : summary.passes) {
    auto pass = std::ranges::find(passes_, report.name, &Pass::name);
    if (pass == passes_.end()) pass = passes_.insert(passes_.end(), Pass{.name = report.name});
    pass->seconds = report.seconds;
  }
  return {};
}

std::string MetricsFile::finish(bool done) {
  if (!running_) return {};
  running_ = false;
  failed_ = !done;
  return write();
}

std::string MetricsFile::write() {
  if (given_up_) return {};
  last_write_ = Clock::now();
  try {
    ResultFile(path_).write(text());
  } catch (const Error& error) {
    given_up_ = true;
    return fmt::format("--metrics: {}; it is not written any more", error.what());
  }
  return {};
}

std::string MetricsFile::text() const {
  std::string out = head("info", "gauge", "The program and what it does.") +
                    fmt::format("neardup_info{{command=\"{}\",version=\"{}\"}} 1\n", command_, NEARDUP_VERSION);
  out += metric("running", "gauge", "1 while the run goes on, 0 when it has ended.", running_ ? 1 : 0);
  out += metric("failed", "gauge", "1 if the run ended without its outputs.", failed_ ? 1 : 0);
  out += metric("start_time_seconds", "gauge", "When the run began, in seconds since 1970.", fmt::format("{:.3f}", started_));
  out += metric("update_time_seconds", "gauge", "When this file was written, in seconds since 1970.",
                fmt::format("{:.3f}", seconds_since_1970()));
  out += metric("pass_number", "gauge", "The pass that is at work, from 1; 0 before the first.", last_.pass_number);
  out += metric("passes", "gauge", "Passes of the run; 0 if it is not known.", last_.pass_count);
  out += metric("input_bytes", "gauge", "Bytes of the input as stored; 0 if unknown.", last_.bytes_total);
  out += metric("documents_read_total", "counter", "Records read, those that were rejected and those of --against too.", read_);
  out += metric("documents_kept_total", "counter", "Documents kept; known when all is decided.", kept_);
  out += metric("documents_removed_total", "counter", "Documents known to be duplicates so far.", removed_);
  out += head("documents_rejected_total", "counter", "Records that could not be read, by what is wrong with them.");
  for (size_t i = 0; i < kRejectKinds; ++i) {
    const auto kind = static_cast<RejectKind>(i);
    out += fmt::format("neardup_documents_rejected_total{{kind=\"{}\"}} {}\n", to_string(kind), rejected_[kind]);
  }
  out += metric("bytes_read_total", "counter", "Bytes of input read in all passes together, as stored.", bytes_read_);
  out += metric("peak_memory_bytes", "gauge", "Most memory of the process so far.", peak_memory_bytes());
  const auto by_pass = [&](std::string_view name, std::string_view type, std::string_view help, const auto& value) {
    out += head(name, type, help);
    for (const Pass& pass : passes_) out += fmt::format("neardup_{}{{pass=\"{}\"}} {}\n", name, pass.name, value(pass));
  };
  by_pass("pass_seconds", "gauge", "Seconds that a pass has taken.", [](const Pass& pass) { return fmt::format("{:.3f}", pass.seconds); });
  by_pass("pass_bytes_total", "counter", "Bytes of input that a pass has read, as stored; grouping and deciding read none.",
          [](const Pass& pass) { return pass.bytes; });
  by_pass("pass_documents_total", "counter", "Documents that a pass has read; grouping and deciding read none.",
          [](const Pass& pass) { return pass.documents; });
  return out;
}

}  // namespace neardup::cli
