// commit_index(): the end of index_documents() and index_fingerprints(): writes the entries as a segment and completes the summary.
#pragma once

#include <chrono>
#include <functional>

#include "base/parallel.h"
#include "dedup/memory_plan.h"
#include "dedup/pass/outputs.h"
#include "neardup/tools/index_documents.h"
#include "neardup/tools/machine.h"

namespace neardup {

/// Options for building the segment.
inline HammingStoreBuild index_build(const Options& options) {
  return {.threads = resolve_threads(options.threads), .memory = MemoryPlan(options).total, .temp_dir = options.temp_dir};
}

/// Commits `outputs` (rejects) and the added entries, all or none, and fills the rest of the summary.
template <typename Code>
void commit_index(const Options& options, const HammingStore<Code>& store, HammingBulk<Code>& bulk,
                  const std::function<void(const Progress&)>& progress, Outputs& outputs, IndexSummary& summary) {
  const auto start = std::chrono::steady_clock::now();
  summary.added = bulk.size();
  if (progress) progress({.pass = "index", .bytes_done = 0, .bytes_total = 0, .documents = summary.added});
  // The index comes last: a file can be withdrawn, a segment that queries have seen cannot.
  struct {
    HammingBulk<Code>& bulk;
    void commit() const { bulk.commit(); }
    void withdraw() const noexcept {}
  } const index{bulk};
  outputs.add(&index);
  outputs.commit();
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
