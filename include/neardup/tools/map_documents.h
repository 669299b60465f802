// map_documents(): one pass over a corpus that makes a piece of output of each document, in parallel, written in input order.
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

/// Appends to `out` what becomes of a document; called by many threads, `worker` is below the number of threads and no two calls with
/// the same one overlap. True if the text counts as too short. The record's place counts from the start of its batch here.
using MapDocument = std::function<bool(uint32_t worker, const Record& record, std::string& out)>;

/// Runs the pass, commits the sinks, and fills what of the summary counts what was read; kept is what was mapped. Throws Error, also when
/// `max_rejects` says that rejected records fail the run; then nothing was committed.
Summary map_documents(const std::string& pass, uint32_t threads, const MapDocument& map, const MapRun& run);

}  // namespace neardup
