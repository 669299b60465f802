// What index_documents() and index_fingerprints() have in common: how a segment is built, and what is said of it at the end.
#pragma once

#include <chrono>

#include "base/parallel.h"
#include "dedup/engine.h"
#include "neardup/doctor.h"
#include "neardup/index_documents.h"

namespace neardup {

inline HammingStoreBuild index_build(const Options& options) {
  return {.threads = resolve_threads(options.threads), .memory_bytes = MemoryPlan(options).total, .temp_dir = options.temp_dir};
}

/// Commits what was added and fills the rest of the summary.
template <typename Code>
void finish_index(const Options& options, const HammingStore<Code>& store, HammingBulk<Code>& bulk, const IndexRun& run,
                  IndexSummary& summary) {
  const auto start = std::chrono::steady_clock::now();
  summary.added = bulk.size();
  if (run.progress) run.progress({.pass = "index", .bytes_done = 0, .bytes_total = 0, .documents = summary.added});
  if (run.before_commit) run.before_commit(summary);
  bulk.commit();
  const HammingStoreStat stat = store.stat();
  summary.entries = stat.entries;
  summary.segments = stat.segments.size();
  for (const HammingSegmentStat& segment : stat.segments) summary.index_bytes += segment.bytes;
  summary.recipe_id = stat.spec.recipe_id;
  summary.threads = resolve_threads(options.threads);
  summary.passes.push_back(
      {"index", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), summary.added * sizeof(Code)});
  summary.peak_memory_bytes = peak_memory_bytes();
}

}  // namespace neardup
