// RunHooks: the members that all jobs share: the source, the sink of rejected records, the progress function and the stop function.
//
// DedupRun, PairsRun and the others begin with these members:
//
//   neardup::DedupRun run;
//   run.source = source.get();
//   run.progress = [](const neardup::Progress& now) { ... };
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "neardup/sink.h"
#include "neardup/source.h"
#include "neardup/stop.h"
#include "neardup/tools/rejects.h"

namespace neardup {

/// Called from one thread at a time, at most a few times a second.
struct Progress {
  std::string_view pass;
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;  ///< 0: unknown
  uint64_t documents = 0;
  uint64_t steps_done = 0;   ///< of a pass that reads no input: grouping, deciding
  uint64_t steps_total = 0;  ///< 0: it reads
  uint64_t duplicates = 0;   ///< documents that will be removed, as far as it is known: exact copies after grouping, all after deciding
  uint64_t rejected = 0;     ///< records so far
  RejectCounts rejected_by_kind{};
  uint32_t pass_number = 0;  ///< from 1, higher in each pass; a pass without work is skipped. 0: the run does not count its passes
  uint32_t pass_count = 0;   ///< the same in all reports of a run; 0: unknown
};

struct RunHooks {
  DocumentSource* source = nullptr;  ///< not owned
  RejectSink* rejects = nullptr;     ///< not owned; committed with the other outputs. Null: rejected records are only counted
  std::function<void(const Progress&)> progress;
  StopFunction stop;  ///< asked from any thread, several at once; true ends the run with Error{kStopped}: neardup/stop.h
};

}  // namespace neardup
