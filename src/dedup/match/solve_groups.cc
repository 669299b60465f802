#include "dedup/match/solve_groups.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "dedup/match/candidates/exact_copies.h"
#include "dedup/match/connect_group.h"
#include "dedup/match/scan_group.h"

namespace neardup {

std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group) {
  const Matcher matcher(in);
  std::vector<GroupWorker> workers(in.threads);
  std::vector<Removal> removals;
  const bool scan = cluster == Cluster::kScan;
  for_groups(
      in.candidates, in.threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        std::vector<Removal>& own = workers[worker].removals;
        const auto before = static_cast<ptrdiff_t>(own.size());
        scan ? scan_small_group(in, matcher, group, workers[worker]) : connect_small_group(in, matcher, group, workers[worker]);
        const auto is_new = [&](const Removal& removal) {
          if (in.table.is_protected(removal.document)) return false;
          return in.copy_of.empty() || !copies_reference(in.table, in.copy_of, removal.document);
        };
        in.done(group.size(), static_cast<uint64_t>(std::ranges::count_if(own.begin() + before, own.end(), is_new)));
      },
      [&](std::span<const uint32_t> group) {
        const auto more = scan ? scan_large_group(in, matcher, group, stats) : connect_large_group(in, matcher, group, stats);
        removals.insert(removals.end(), more.begin(), more.end());
      });
  for (const GroupWorker& worker : workers) {
    removals.insert(removals.end(), worker.removals.begin(), worker.removals.end());
    stats.verifications += worker.scratch.verifications;
    stats.just_below += worker.just_below;
  }
  sort_by_document(removals);
  return removals;
}

}  // namespace neardup
