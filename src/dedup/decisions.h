// Decisions: the step between sketches and outputs: removals, index matches and counts.
//
// The result of the passes group, features and decide for a slice of the corpus; a run without slices has one slice. Stored in the files
// `decided-B.part` of a checkpoint directory, one per slice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/match/group_results.h"
#include "dedup/reference_indexes.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct Decisions {
  uint64_t first_batch = 0;  ///< the documents came in the batches [first_batch, end_batch)
  uint64_t end_batch = 0;
  uint32_t first_document = 0;  ///< of [first_document, end_document)
  uint32_t end_document = 0;
  bool last = true;                       ///< the source ends there
  uint32_t slices = 1;                    ///< number of slices in this object
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
  /// The decisions of leading slices, up to the first gap; sets `copy_of` for their documents. Removes files that are damaged or of another
  /// recipe.
  static std::vector<Decisions> load(const CheckpointDirectory& directory, uint64_t recipe_id, std::vector<uint32_t>& copy_of);
};

}  // namespace neardup
