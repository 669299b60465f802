// index_fingerprints(): ready fingerprints, out of files, into an index folder (HammingStore).
#pragma once

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/index_documents.h"

namespace neardup {

/// Without `source` and `rejects`, which are of documents: what is read are fingerprints, and what is rejected are lines.
struct FingerprintRun : RunHooks {
  FingerprintReader* reader = nullptr;  ///< not owned
  PieceSink* rejected_lines = nullptr;  ///< not owned; where the reader's rejects go; committed with the index, all or none
};

/// Makes one new segment. In a store without names ids go on from the largest that there was: of the first array they are its rows, from 0.
/// Options used: threads, memory, temp_dir, max_rejects. Throws Error, kUsage when the run has `source` or `rejects` or no reader; then
/// nothing was added, and no rejects are there.
template <typename Code>
IndexSummary index_fingerprints(const Options& options, HammingStore<Code>& store, const FingerprintRun& run);

extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint64>&, const FingerprintRun&);
extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint128>&, const FingerprintRun&);

}  // namespace neardup
