// DedupWork: the sources, outputs and job of one run of dedup, from its command line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/run/outputs.h"
#include "cli/run/run_report.h"
#include "neardup/dedup.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/remove_documents.h"

namespace neardup::cli {

/// The source of a run: the indexes of --against, which have no documents, then its corpora, then the inputs.
struct DedupSources {
  std::unique_ptr<DocumentSource> all;
  uint32_t reference_count = 0;  ///< indexes and files
  std::vector<uint32_t> ends;    ///< number of sources before each --add
  std::vector<std::string> indexes;
  std::vector<std::string> inputs;  ///< all but the indexes, as the command line names them
};

struct DedupWork {
  /// Opens the sources. `added`: the inputs of each --add, each a separate source, so that batches of earlier ones do not change. Throws
  /// Error.
  DedupWork(const Invocation& invocation, const std::vector<std::vector<std::string>>& added, Reporter& reporter);
  /// Makes the sinks. Throws Error.
  void open_outputs(const Invocation& invocation);
  /// After the run: --report, if it was given.
  void write_report(const Invocation& invocation, Reporter& reporter);

  RunPlan plan;
  DedupSources sources;
  RunOutputs outputs;
  std::vector<std::unique_ptr<Sink>> sinks;
  std::unique_ptr<RemovedDocuments> deletion;  ///< --delete-removed; null: nothing is deleted
  std::unique_ptr<RejectSink> rejects;
  std::optional<ReportOutput> report;
  DedupRun job;
};

}  // namespace neardup::cli
