// Solves groups: from candidates to removals, by the scan rule (scan_group.h) or by components (connect_group.h).
//
// Small groups are solved in parallel, each by one worker; large ones one after the other, in parallel inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/for_groups.h"
#include "dedup/match/group_inputs.h"
#include "dedup/match/group_results.h"
#include "neardup/options.h"

namespace neardup {

/// Solves groups in any order, and collects what it finds. small() may be called by several threads, one for each worker.
class GroupSolver {
 public:
  /// `in` must outlive it.
  GroupSolver(const GroupInputs& in, Cluster cluster) : in_(in), scan_(cluster == Cluster::kScan), matcher_(in), workers_(in.threads) {}

  /// Returns the number of removed documents, without copies of reference documents. `worker`: below in.threads.
  uint64_t small(uint32_t worker, std::span<const uint32_t> group);
  /// Uses in.threads threads, and reports progress.
  void large(std::span<const uint32_t> group);
  /// All removals, by document. Adds to `stats`. Once, at the end.
  std::vector<Removal> finish(GroupStats& stats);

 private:
  const GroupInputs& in_;
  const bool scan_;
  const Matcher matcher_;
  std::vector<GroupWorker> workers_;
  std::vector<Removal> removals_;  // of large groups
  GroupStats large_;
};

/// Removals of all groups, by document.
std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group = kSmallGroup);

}  // namespace neardup
