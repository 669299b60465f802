// index_documents(): adds many documents to an index folder (HammingStore). For ready fingerprints: index_fingerprints.h.
//
// A document's name in the index is its id; without one, or with an empty one, SOURCE:ROW. A text that is too short for a fingerprint (law
// 5) is counted and left out. Names are not checked for duplicates: to replace a document, remove the old one first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/tools/index_recipe.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// The result of a run. read == added + too_short + rejected, always.
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
  uint64_t entries = 0;   ///< of the index now, including removed ones until a merge
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
  [[nodiscard]] std::string to_text(bool verbose = false) const;  ///< for people, several lines; `verbose`: also passes and machine
};

/// Makes one new segment. The store must have names. Options used: recipe, threads, memory, temp_dir. Throws Error; then nothing was added,
/// and no rejects were written.
template <typename Code>
IndexSummary index_documents(const Options& options, HammingStore<Code>& store, const RunHooks& run);

extern template IndexSummary index_documents(const Options&, HammingStore<Fingerprint64>&, const RunHooks&);
extern template IndexSummary index_documents(const Options&, HammingStore<Fingerprint128>&, const RunHooks&);

}  // namespace neardup
