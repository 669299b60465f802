#include "dedup/match/solve_groups.h"

#include <algorithm>

#include "dedup/match/candidates/exact_copies.h"
#include "dedup/match/connect_group.h"
#include "dedup/match/scan_group.h"

namespace neardup {

uint64_t GroupSolver::small(uint32_t worker, std::span<const uint32_t> group) {
  std::vector<Removal>& own = workers_[worker].removals;
  const auto before = static_cast<ptrdiff_t>(own.size());
  scan_ ? scan_small_group(in_, matcher_, group, workers_[worker]) : connect_small_group(in_, matcher_, group, workers_[worker]);
  const auto is_new = [&](const Removal& removal) {
    if (in_.table.is_protected(removal.document)) return false;
    return in_.copy_of.empty() || !copies_reference(in_.table, in_.copy_of, removal.document);
  };
  return static_cast<uint64_t>(std::count_if(own.begin() + before, own.end(), is_new));
}

void GroupSolver::large(std::span<const uint32_t> group) {
  const auto more = scan_ ? scan_large_group(in_, matcher_, group, large_) : connect_large_group(in_, matcher_, group, large_);
  removals_.insert(removals_.end(), more.begin(), more.end());
}

std::vector<Removal> GroupSolver::finish(GroupStats& stats) {
  stats.verifications += large_.verifications;
  stats.capped_documents += large_.capped_documents;
  stats.just_below += large_.just_below;
  for (const GroupWorker& worker : workers_) {
    removals_.insert(removals_.end(), worker.removals.begin(), worker.removals.end());
    stats.verifications += worker.scratch.verifications;
    stats.just_below += worker.just_below;
  }
  sort_by_document(removals_);
  return std::move(removals_);
}

std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group) {
  GroupSolver solver(in, cluster);
  for_groups(
      in.candidates, in.threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) { in.done(group.size(), solver.small(worker, group)); },
      [&](std::span<const uint32_t> group) { solver.large(group); });
  return solver.finish(stats);
}

}  // namespace neardup
