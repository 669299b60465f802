// index_clues(): adds the texts of many documents to a clue index (ClueIndex).
//
// A text's name in the index is the document's id; without one, or with an empty one, SOURCE:ROW. Names are not checked for duplicates: to
// replace a text, remove the old one first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/clue_index.h"
#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// The result of a run. read == added + rejected, always.
struct ClueIndexSummary {
  uint64_t read = 0;
  uint64_t added = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind{};  ///< add up to rejected
  uint64_t repaired = 0;            ///< texts with malformed UTF-8 or lone surrogates, read as U+FFFD
  uint64_t malformed_texts = 0;     ///< of these, text files with bytes that are not of their charset
  uint64_t invalid_ids = 0;         ///< documents whose id is neither a string nor a number; they count as without one
  uint64_t text_bytes = 0;
  uint64_t texts = 0;     ///< of the index now, including removed ones until a merge
  uint64_t segments = 0;  ///< of the index now
  uint64_t index_bytes = 0;
  uint64_t anchor_bytes = 0;  ///< of these, the index proper, without texts and names
  ClueRecipe recipe;
  uint64_t peak_memory_bytes = 0;
  uint32_t threads = 0;
  std::string kernels;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text(bool verbose = false) const;  ///< for people, several lines; `verbose`: also passes and machine
};

/// Makes one new segment. If the index refers to texts, all sources must have a DocumentSource::reference_to(), otherwise Error{kUsage}
/// names the first one that has none. Options used: threads, memory, temp_dir, max_rejects. The segment is the same for any of the first
/// three. Throws Error; then nothing was added, and no rejects were written.
ClueIndexSummary index_clues(const Options& options, ClueIndex& index, const RunHooks& run);

}  // namespace neardup
