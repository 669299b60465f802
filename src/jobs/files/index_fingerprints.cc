#include "neardup/tools/index_fingerprints.h"

#include <chrono>

#include "jobs/commit_index.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/instruction_sets.h"

namespace neardup {
namespace {

constexpr uint64_t kLookEvery = 4096;  // entries between two progress checks

// These members would be ignored silently.
void check_run(const FingerprintRun& run) {
  if (run.source != nullptr) throw Error(ErrorCode::kUsage, "a run over fingerprints has no source: set reader");
  if (run.rejects != nullptr) throw Error(ErrorCode::kUsage, "a run over fingerprints has no rejected records: set rejected_lines");
  if (run.reader == nullptr) throw Error(ErrorCode::kUsage, "a run over fingerprints needs a reader");
}

}  // namespace

template <typename Code>
IndexSummary index_fingerprints(const Options& options, HammingStore<Code>& store, const FingerprintRun& run) {
  check_run(run);
  const StopScope scope(&run.stop);
  using Clock = std::chrono::steady_clock;
  constexpr auto kReportEvery = std::chrono::milliseconds(200);
  const auto start = Clock::now();
  auto last_report = start;
  FingerprintReader& reader = *run.reader;
  HammingBulk<Code> bulk(store, index_build(options));
  IndexSummary summary;
  const bool names = store.spec().names;
  // Rows are ids, those of texts that are too short too.
  const uint64_t first = store.stat().next_id;
  uint64_t row = 0;
  FingerprintEntry entry;
  while (reader.next(entry)) {
    if (entry.too_short) {
      ++summary.too_short;
    } else if (names) {
      bulk.add(narrowed<Code>(entry.code), entry.name);
    } else {
      bulk.add(narrowed<Code>(entry.code), first + row);
    }
    if (++row % kLookEvery != 0) continue;
    check_stop();
    if (!run.progress || Clock::now() - last_report < kReportEvery) continue;
    last_report = Clock::now();
    run.progress({.pass = "read", .bytes_done = reader.input_bytes(), .bytes_total = 0, .documents = reader.read()});
  }
  summary.read = reader.read();
  summary.rejected = reader.rejects().total();
  summary.rejected_by_kind = reader.rejects().by_kind();
  summary.warnings = reader.warnings();
  check_rejects(options.max_rejects, reader.reject_totals());
  summary.kernels = kernels_in_use();
  summary.passes.push_back({"read", std::chrono::duration<double>(Clock::now() - start).count(), reader.input_bytes()});
  Outputs outputs;
  outputs.add(run.rejected_lines);
  commit_index(options, store, bulk, run.progress, outputs, summary);
  return summary;
}

template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint64>&, const FingerprintRun&);
template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint128>&, const FingerprintRun&);

}  // namespace neardup
