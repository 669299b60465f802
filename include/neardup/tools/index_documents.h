// index_documents(), index_fingerprints(): many documents, or ready fingerprints, into an index folder (HammingStore).
//
// A document's name in the index is its id; without one, or with an empty one, SOURCE:ROW. A text that is too short for a fingerprint (law
// 5) is counted and left out. Nobody looks whether a name is there already: who replaces a document removes the old one first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "neardup/dedup.h"
#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/tools/index_recipe.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

class FingerprintReader;  // neardup/tools/fingerprint_files.h

/// What a run added. read == added + too_short + rejected, always.
struct IndexSummary {
  uint64_t read = 0;
  uint64_t added = 0;
  uint64_t too_short = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind{};  ///< add up to rejected
  uint64_t repaired = 0;            ///< texts with malformed UTF-8 or lone surrogates, read as U+FFFD
  uint64_t malformed_texts = 0;     ///< of these, text files with bytes that are not of their charset
  uint64_t invalid_ids = 0;         ///< documents whose id is neither a string nor a number; they count as without one
  uint64_t text_bytes = 0;
  uint64_t entries = 0;   ///< of the index now, removed ones among them until a merge
  uint64_t segments = 0;  ///< of the index now
  uint64_t index_bytes = 0;
  uint64_t recipe_id = 0;
  std::string recipe_name;  ///< empty: fingerprints were given
  uint64_t spilled_bytes = 0;
  uint64_t peak_memory_bytes = 0;
  uint32_t threads = 0;
  std::string kernels;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text() const;  ///< for people, several lines
};

struct IndexRun {
  DocumentSource* source = nullptr;     ///< index_documents(); not owned, like the sink
  RejectSink* rejects = nullptr;        ///< index_documents()
  FingerprintReader* reader = nullptr;  ///< index_fingerprints()
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;           ///< asked from any thread: neardup/stop.h
  PieceSink* rejected_lines = nullptr;  ///< index_fingerprints(): to which the reader's rejects go; committed with the index, all or none
};

/// Makes one new segment. The store must have names. Options used: recipe, threads, memory, temp_dir. Throws Error; then nothing was added,
/// and no rejects are there.
template <typename Code>
IndexSummary index_documents(const Options& options, HammingStore<Code>& store, const IndexRun& run);
/// The same. In a store without names ids go on from the largest that there was: of the first array they are its rows, from 0. Options
/// used: threads, memory, temp_dir.
template <typename Code>
IndexSummary index_fingerprints(const Options& options, HammingStore<Code>& store, const IndexRun& run);

extern template IndexSummary index_documents(const Options&, HammingStore<Fingerprint64>&, const IndexRun&);
extern template IndexSummary index_documents(const Options&, HammingStore<Fingerprint128>&, const IndexRun&);
extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint64>&, const IndexRun&);
extern template IndexSummary index_fingerprints(const Options&, HammingStore<Fingerprint128>&, const IndexRun&);

}  // namespace neardup
