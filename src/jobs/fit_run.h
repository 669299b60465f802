// map_run(): how the jobs that learn from a corpus go through it.
#pragma once

#include "neardup/tools/map_documents.h"
#include "neardup/tools/reject_limit.h"

namespace neardup {

/// Without a sink. `Run` is FrequencyRun or LineRun. `rejects` may be null: of a later reading.
template <typename Run>
MapRun map_run(const Run& run, const RejectLimit& max_rejects, RejectSink* rejects) {
  return {
      .source = run.source, .sink = nullptr, .rejects = rejects, .max_rejects = max_rejects, .progress = run.progress, .stop = run.stop};
}

}  // namespace neardup
