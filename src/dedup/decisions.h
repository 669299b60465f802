// Decisions: what lies between the sketches and the outputs: removals, matches in indexes, and what was counted on the way.
//
// The end of the passes group, features and decide over a slice of the corpus, or over all of it, which is one slice; and the files
// `decided-B.part` of a checkpoint directory, one a slice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/match/groups.h"
#include "dedup/reference_indexes.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct Decisions {
  uint64_t first_batch = 0;  ///< the documents came in the batches [first_batch, end_batch)
  uint64_t end_batch = 0;
  uint32_t first_document = 0;  ///< of [first_document, end_document)
  uint32_t end_document = 0;
  bool last = true;                       ///< the source ends there
  uint32_t slices = 1;                    ///< that these are
  std::vector<Removal> removals;          ///< sorted by document
  std::vector<IndexMatch> index_matches;  ///< that removals name
  GroupStats stats;
  uint64_t candidate_documents = 0;
  uint64_t largest_group = 0;
  uint64_t reference_entries = 0;

  /// Writes the counts into the summary of a run.
  void count(Summary& summary) const;
  /// Adds those of the next slice.
  void append(Decisions next);

  /// `copy_of`: find_exact_copies() of all documents so far. Throws Error{kOutput}.
  void save(const CheckpointDirectory& directory, uint64_t recipe_id, std::span<const uint32_t> copy_of) const;
  /// Those of leading slices, up to the first gap; `copy_of` becomes that of their documents. Damaged ones, and those of another recipe,
  /// are removed.
  static std::vector<Decisions> load(const CheckpointDirectory& directory, uint64_t recipe_id, std::vector<uint32_t>& copy_of);
};

}  // namespace neardup
