// SliceCandidates: the result of the pass `group` for a slice of the corpus, or for all of it: copies, index matches and groups of
// candidates.
//
// The file `grouped-B.part` of a checkpoint directory, until the slice is decided.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/reference_indexes.h"

namespace neardup {

/// Identifies the slice.
struct SliceBounds {
  uint64_t recipe_id = 0;
  uint64_t first_batch = 0;
  uint32_t first_document = 0;
  uint32_t end_document = 0;
};

struct SliceCandidates {
  std::vector<uint32_t> copy_of;  ///< find_exact_copies(), of the documents of the slice
  std::vector<IndexMatch> index_matches;
  CandidateGroups groups;

  /// `copy_of`: of all documents so far. Throws Error{kOutput}.
  static void save(const CheckpointDirectory& directory, const SliceBounds& slice, std::span<const uint32_t> copy_of,
                   std::span<const IndexMatch> index_matches, const CandidateGroups& groups);
  /// Nothing if there are none of the same slice and recipe, or if they are damaged; damaged ones are removed. Documents of groups are
  /// below the end of the slice; the caller must know that those before it were kept.
  static std::optional<SliceCandidates> load(const CheckpointDirectory& directory, const SliceBounds& slice);
  /// Call it when the slice is decided.
  static void remove(const CheckpointDirectory& directory, uint64_t first_batch);
};

}  // namespace neardup
