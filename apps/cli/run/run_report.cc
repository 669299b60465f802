#include "cli/run/run_report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/interrupt.h"
#include "neardup/error.h"
#include "neardup/tools/run_report.h"
#include "neardup/tools/run_texts.h"
#include "neardup/tools/secrets.h"

namespace neardup::cli {
namespace {

namespace fs = std::filesystem;

// The command of a run may hold passwords: in URIs, also in those that follow "--option=".
std::vector<std::string> shown_command(const std::vector<std::string>& words) {
  std::vector<std::string> shown{"neardup", "dedup"};
  for (const std::string& word : words) {
    const size_t value = word.starts_with("-") ? word.find('=') + 1 : 0;  // 0 without '='
    shown.push_back(word.substr(0, value) + without_secrets(word.substr(value)));
  }
  return shown;
}

std::string make_temporary_folder(const std::string& temp_dir) {
  const char* const variable = std::getenv("TMPDIR");
  const std::string parent = !temp_dir.empty() ? temp_dir : variable != nullptr && *variable != '\0' ? variable : "/tmp";
  std::string path = parent + "/neardup-record-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw Error(ErrorCode::kOutput, fmt::format("cannot make a folder in '{}': {}", parent, std::strerror(errno)));
  }
  return path;
}

}  // namespace

std::string make_run_report(const ReportedRun& run) {
  RunTexts texts(run.record, run.inputs, run.source);
  ReportRun job;
  job.record = &run.record;
  job.directory = run.directory;
  job.options = run.invocation.options;
  // A bound above that of the page would mark nothing: a run with such a source fails.
  const double bound = run.invocation.options.max_removed.value();
  job.bound_given = bound < job.max_removed;
  if (job.bound_given) job.max_removed = bound;
  job.command = shown_command(run.invocation.words);
  job.version = NEARDUP_VERSION;
  job.shown = without_secrets;
  job.read_texts = [&](std::span<const DocumentId> wanted, const ReportRun::Visit& visit) {
    if (run.open != nullptr) {
      read_places(*run.open, wanted, visit);
    } else {
      texts.read(wanted, visit);
    }
  };
  job.stop = interrupted;
  return report_json(job);
}

ReportOutput::ReportOutput(const std::string& path, const std::string& checkpoint_directory, const std::string& temp_dir)
    : page_(path),
      directory_(checkpoint_directory.empty() ? make_temporary_folder(temp_dir) : checkpoint_directory),
      temporary_(checkpoint_directory.empty()) {}

ReportOutput::~ReportOutput() {
  std::error_code ignored;
  if (temporary_) fs::remove_all(directory_, ignored);
}

void ReportOutput::write(const Invocation& invocation, std::vector<std::string> inputs, SourceOptions source, DocumentSource* open) {
  const auto record = RunRecord::open(directory_);
  page_.write(report_page(make_run_report({.record = *record,
                                           .invocation = invocation,
                                           .directory = temporary_ ? "" : directory_,
                                           .inputs = std::move(inputs),
                                           .source = std::move(source),
                                           .open = open})));
}

}  // namespace neardup::cli
