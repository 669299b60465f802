// index_fingerprints(): adds ready fingerprints from files to an index folder (HammingStore).
#pragma once

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/index_documents.h"

namespace neardup {

/// Without `source` and `rejects`, which are for documents: it reads fingerprints and rejects lines.
struct FingerprintRun : RunHooks {
  FingerprintReader* reader = nullptr;  ///< not owned
  PieceSink* rejected_lines = nullptr;  ///< not owned; receives the reader's rejects; committed with the index, all or none
};

/// Makes one new segment. In a store without names ids continue after the largest existing one: for the first array they are its rows, from
/// 0. Options used: threads, memory, temp_dir, max_rejects. Throws Error, kUsage when the run has `source` or `rejects` or no reader; then
/// nothing was added, and no rejects were written.
template <typename Code>
IndexSummary index_fingerprints(const Options& options, HammingStore<Code>& store, const FingerprintRun& run);

extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint64>&, const FingerprintRun&);
extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint128>&, const FingerprintRun&);

}  // namespace neardup
