// Verdicts: combines removals and exact copies into one verdict per document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/match/group_results.h"
#include "dedup/reference_indexes.h"
#include "dedup/report/cluster_sizes.h"
#include "dedup/report/removal_tally.h"
#include "neardup/source.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// Adds a removal for each document that an entry of an index removes; `removals` stay sorted by document.
void add_index_matches(std::span<const IndexMatch> index_matches, uint32_t bits, std::vector<Removal>& removals);

/// Immutable after construction; shared by threads.
class Verdicts {
 public:
  /// `removals` sorted by document; `measure` is that of their overlaps. `index_matches` are those that the removals name.
  Verdicts(const DocumentTable& table, std::span<const uint32_t> copy_of, std::vector<Removal> removals, const RemovalMeasure& measure,
           std::span<const IndexMatch> index_matches = {});

  /// Of a document that was neither rejected nor is of the reference corpus. Views live as long as the table.
  [[nodiscard]] Verdict of(uint32_t document) const;
  /// Fills kept, removed, their parts, clusters and similarities. `source`: of the run, for the names of documents.
  void count(const DocumentSource& source, Summary& summary) const;

 private:
  struct Keeper {
    uint32_t document = kNoDocument;   // kNoDocument: kept
    const Removal* removal = nullptr;  // null: an exact copy of its keeper
  };
  // The first kept document that it matches.
  [[nodiscard]] Keeper match_of(uint32_t document) const;
  // The same, unless it is protected.
  [[nodiscard]] Keeper keeper_of(uint32_t document) const;
  [[nodiscard]] bool is_spared(uint32_t document) const;
  [[nodiscard]] const Removal* removal_of(uint32_t document) const;
  [[nodiscard]] Reason reason_of(const Keeper& keeper) const;
  void count_clusters(const DocumentSource& source, Summary& summary) const;

  const DocumentTable& table_;
  std::span<const uint32_t> copy_of_;
  std::vector<Removal> removals_;
  std::vector<bool> removed_;  // representatives with a removal
  RemovalMeasure measure_;
  std::span<const IndexMatch> index_matches_;
  ClusterSizes clusters_;
};

}  // namespace neardup
