// map_documents(): one pass over a corpus that maps each document to a piece of output, in parallel, written in input order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "neardup/sink.h"
#include "neardup/tools/reject_limit.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct MapRun : RunHooks {
  PieceSink* sink = nullptr;  ///< not owned; null: nothing is written
  RejectLimit max_rejects{};  ///< Options::max_rejects of the run
};

/// Appends the piece of a document to `out`; called by many threads. `worker` is below the number of threads, and calls with the same one
/// never overlap. True if the text counts as too short. The record's place counts from the start of its batch here.
using MapDocument = std::function<bool(uint32_t worker, const Record& record, std::string& out)>;

/// Runs the pass, commits the sinks, and fills the summary's counts of records read; kept is the number of mapped documents. Throws Error,
/// also when `max_rejects` says that rejected records fail the run; then nothing was committed.
Summary map_documents(const std::string& pass, uint32_t threads, const MapDocument& map, const MapRun& run);

}  // namespace neardup
