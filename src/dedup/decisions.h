// Decisions: what lies between the sketches and the outputs: exact copies, removals, witnesses, and what was counted on the way.
//
// The end of the passes group, features and decide, and the file `decided` of a run folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dedup/groups.h"
#include "dedup/reference_indexes.h"
#include "dedup/run_folder.h"
#include "neardup/dedup.h"

namespace neardup {

struct Decisions {
  uint64_t batches = 0;            ///< that the documents came in
  std::vector<uint32_t> copy_of;   ///< find_exact_copies()
  std::vector<Removal> removals;   ///< sorted by document
  std::vector<Witness> witnesses;  ///< that removals name
  GroupStats stats;
  uint64_t candidate_documents = 0;
  uint64_t largest_group = 0;
  uint64_t reference_entries = 0;

  /// Takes the counts over into the summary of a run.
  void count(Summary& summary) const;

  /// Throws Error{kOutput}.
  void save(const RunFolder& folder, uint64_t recipe_id) const;
  /// Nothing when there are none, of another recipe, of another number of documents, or damaged ones, which are removed.
  static std::optional<Decisions> load(const RunFolder& folder, uint64_t recipe_id);
};

}  // namespace neardup
