// report_json(): what a finished run did: what was removed, from where, for what, how sure that is, and what it cost.
// report_page(): the same as one HTML page.
//
//   const auto record = neardup::RunRecord::open("work");
//   neardup::RunTexts texts(*record, {"corpus.jsonl"}, {});
//   neardup::ReportRun run;
//   run.record = record.get();
//   run.read_texts = [&](auto wanted, const auto& visit) { texts.read(wanted, visit); };
//   const std::string page = neardup::report_page(neardup::report_json(run));  // write it to report.html and open it in a browser
//
// docs/report.md explains the parts of the report, docs/formats.md the JSON. Thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"
#include "neardup/options.h"
#include "neardup/source.h"
#include "neardup/stop.h"
#include "neardup/tools/run_record.h"

namespace neardup {

struct ReportRun {
  const RunRecord* record = nullptr;  ///< not owned
  std::string directory;  ///< where the run left its record and tables of its recipe; empty: a temporary folder, which is not shown
  Options options;        ///< of the run
  std::vector<std::string> command;  ///< words to show, without passwords
  /// Reads texts, as RunTexts::read() does; called again for single sources if it throws Error{kInput}. The report then says which of them
  /// cannot be read. Empty: no texts at all.
  using Visit = std::function<void(const DocumentId& where, const Record& record)>;
  std::function<void(std::span<const DocumentId> wanted, const Visit& visit)> read_texts;
  std::string (*shown)(std::string_view value) = nullptr;  ///< hides passwords in values of options (without_secrets); null: not needed
  std::string version;                                     ///< of the program, to show
  double max_removed = 0.6;                                ///< sources that lose a larger share of their documents are marked
  bool bound_given = false;                                ///< it is Options::max_removed of the run
  StopFunction stop;
};

/// One JSON object without line ends, below 2 MB for any run. Reads the record twice and about 1,500 texts. A function of the run and its
/// texts. Throws Error.
std::string report_json(const ReportRun& run);

/// Visits the wanted documents of a source in one pass over it: ReportRun::read_texts for a run that still has its source open. `wanted` is
/// sorted. Throws Error{kInput}.
void read_places(DocumentSource& source, std::span<const DocumentId> wanted, const ReportRun::Visit& visit);

/// The page that shows `json`, a report as docs/formats.md describes it, UTF-8: self-contained, so that it needs no network and no other
/// file. Whatever texts the report quotes, they cannot end the page's script or style; a browser shows a message if `json` is malformed.
[[nodiscard]] std::string report_page(std::string_view json);

}  // namespace neardup
