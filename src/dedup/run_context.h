// RunContext: what every pass of a run needs: options, input, threads, memory and progress monitor. Read only.
#pragma once

#include <cstdint>

#include "dedup/corpus/keep_policy.h"
#include "dedup/memory_plan.h"
#include "dedup/pass/pass_clock.h"
#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"

namespace neardup {

/// Owns only values.
struct RunContext {
  /// The first `reference_sources` sources are the reference corpus. `slice_documents`: documents that are decided at a time, at least; 0:
  /// all. Throws Error{kUsage} for options that are invalid with any recipe.
  RunContext(const Options& options, const RunHooks& hooks, const PassClock& clock, uint32_t reference_sources = 0,
             uint64_t slice_documents = 0);

  const Options& options;
  DocumentSource& source;
  RejectSink* const rejects;
  const PassMonitor& monitor;
  const uint32_t reference_sources;
  const uint64_t slice_documents;
  const uint32_t threads;
  const MemoryPlan memory;
  const KeepPolicy keep;
};

/// Throws Error{kUsage} when Options::batch is given and the options need all documents at once: a later slice must neither remove a
/// document of an earlier one nor need it again.
void check_slices(const Options& options);

}  // namespace neardup
