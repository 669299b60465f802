// Summary: the results of a run, for programs and for people. Filled by dedup(), pairs() and the other jobs that read a corpus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/tools/rejects.h"

namespace neardup {

struct PassReport {
  std::string name;
  double seconds = 0;
  uint64_t bytes = 0;  ///< of text or data that the pass processed
};

/// The results of a run. read == kept + removed + rejected, always.
struct Summary {
  uint64_t read = 0;
  uint64_t kept = 0;
  uint64_t removed = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind;  ///< add up to rejected
  uint64_t exact_copies = 0;      ///< removed as exact copies
  uint64_t near_duplicates = 0;   ///< removed by similarity
  uint64_t connected = 0;         ///< removed although below the threshold to their keeper (cluster = components)
  uint64_t short_texts = 0;       ///< matched by exact hash only (law 5)
  uint64_t repaired = 0;          ///< texts with malformed UTF-8 or lone surrogates, read as U+FFFD
  uint64_t malformed_texts = 0;   ///< of these, text files with bytes that are not of their charset
  uint64_t invalid_ids = 0;       ///< documents whose id is neither a string nor a number; they count as without one
  uint64_t duplicate_ids = 0;
  uint64_t without_rank_value = 0;   ///< documents without a number at the field of max: or min:
  uint64_t reference_documents = 0;  ///< documents of the corpus given by against; in none of the counts above
  uint64_t reference_rejected = 0;   ///< of these, records that could not be read
  RejectCounts reference_rejected_by_kind;
  uint64_t reference_entries = 0;  ///< of the indexes given by against
  uint64_t reference_matches = 0;  ///< documents removed because of one of these
  uint64_t text_bytes = 0;         ///< of all texts that were read, the reference corpus included
  uint64_t pairs = 0;              ///< pairs(): reported pairs
  uint64_t candidate_documents = 0;
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;  ///< documents that met max_candidates
  uint64_t largest_group = 0;     ///< documents connected by shared bands, at most
  uint32_t slices = 0;            ///< number of slices (Options::batch)
  uint32_t bands = 0;
  uint32_t rows_per_band = 0;
  uint32_t fingerprint_bits = 0;  ///< 0: no fingerprints were compared
  uint32_t max_distance = 0;      ///< of fingerprints, inclusive
  double predicted_miss = 0;      ///< probability that a pair exactly at the threshold shares no band (the signature filter adds 1e-6)
  uint64_t spilled_bytes = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t recipe_id = 0;
  std::string recipe_name;
  std::string kernels;
  uint32_t threads = 0;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;  ///< one line each, the first few of every kind, with source and line

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text() const;  ///< for people, several lines
};

}  // namespace neardup
