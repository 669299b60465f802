// ClusterSizes: counts the members of every cluster of a run (Verdict::cluster).
//
// A cluster is named by its keeper: a document, or the entry of an index, which is the same for all its matches. Filled by one thread;
// read-only after finish(), by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neardup/document.h"

namespace neardup {

class ClusterSizes {
 public:
  /// `entries[i]` is the index entry of match `i`.
  ClusterSizes(uint32_t documents, std::vector<DocumentId> entries);

  /// A document was removed because of this one.
  void add(uint32_t keeper) { ++of_document_[keeper]; }
  /// A document was removed because of the entry of this match.
  void add_to_entry(size_t match) { ++of_match_[match]; }
  /// Adds up the matches of each entry.
  void finish();

  /// 1: nothing was removed because of it. The others require finish().
  [[nodiscard]] uint64_t of_document(uint32_t keeper) const noexcept { return of_document_[keeper]; }
  [[nodiscard]] uint64_t of_entry(size_t match) const noexcept { return of_match_[match]; }

  struct Totals {
    uint64_t clusters = 0;  ///< of at least two members
    uint64_t largest = 0;   ///< members; 0: there is no cluster
    bool is_entry = false;  ///< the keeper of the largest is the entry of match `keeper`; otherwise document `keeper`
    size_t keeper = 0;
  };
  /// Of clusters of one size, the largest is the one whose keeper comes first; entries come before documents.
  [[nodiscard]] Totals totals() const;

 private:
  std::vector<uint32_t> of_document_;
  std::vector<DocumentId> entries_;  // of the matches, until finish()
  std::vector<uint32_t> of_match_;
  std::vector<uint32_t> first_matches_;  // the first match of each entry with a removed document, by entry
};

}  // namespace neardup
