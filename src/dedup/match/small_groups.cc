// Small groups pair by pair, and the dispatch to the way of large groups.
#include <algorithm>

#include "base/parallel.h"
#include "dedup/match/groups.h"
#include "dedup/match/union_find.h"

namespace neardup {
namespace {

struct Worker {
  Matcher::Scratch scratch;
  std::vector<Removal> removals;
  std::vector<uint32_t> kept;
  uint64_t just_below = 0;
};

void scan_small_group(const Matcher& matcher, std::span<const uint32_t> group, Worker& worker) {
  worker.kept.clear();
  for (const uint32_t candidate : group) {
    bool removed = false;
    worker.scratch.just_below = false;
    for (const uint32_t keeper : worker.kept) {
      if (!matcher.comparable(candidate, keeper)) continue;
      if (const auto overlap = matcher.match(candidate, keeper, worker.scratch)) {
        worker.removals.push_back({matcher.document(candidate), matcher.document(keeper), *overlap});
        removed = true;
        break;
      }
    }
    if (removed || matcher.copied_reference(candidate)) continue;
    worker.kept.push_back(candidate);
    worker.just_below += worker.scratch.just_below;
  }
}

void connect_small_group(const Matcher& matcher, std::span<const uint32_t> group, Worker& worker) {
  UnionFind sets(static_cast<uint32_t>(group.size()));
  for (uint32_t i = 1; i < group.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (sets.root(i) == sets.root(j) || !matcher.comparable(group[i], group[j])) continue;
      if (matcher.match(group[i], group[j], worker.scratch)) sets.unite(i, j);
    }
  }
  remove_by_component(matcher, group, sets, worker.scratch, worker.removals);
}

// Calls small(worker, group) in parallel for the small groups and large(group) one by one for the others.
template <typename Small, typename Large>
void for_groups(const Candidates& candidates, uint32_t threads, size_t small_group, const Small& small, const Large& large) {
  parallel_for(threads, candidates.group_count(), 64, [&](uint32_t worker, size_t g) {
    if (candidates.group(g).size() <= small_group) small(worker, candidates.group(g));
  });
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    if (candidates.group(g).size() > small_group) large(candidates.group(g));
  }
}

}  // namespace

void remove_by_component(const Matcher& matcher, std::span<const uint32_t> group, UnionFind& sets, Matcher::Scratch& scratch,
                         std::vector<Removal>& removals) {
  for (uint32_t i = 0; i < group.size(); ++i) {
    const uint32_t best = sets.root(i);  // positions are in rank order, so the least is the best
    if (best == i || matcher.settled(group[i])) continue;
    const Overlap overlap = matcher.overlap(group[i], group[best], scratch);
    removals.push_back({matcher.document(group[i]), matcher.document(group[best]), overlap, !matcher.met_by(overlap)});
  }
}

std::vector<Removal> solve_groups(const Matcher& matcher, Cluster cluster, uint32_t threads, GroupStats& stats, size_t small_group) {
  std::vector<Worker> workers(threads);
  std::vector<Removal> removals;
  const bool scan = cluster == Cluster::kScan;
  for_groups(
      matcher.inputs().candidates, threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        std::vector<Removal>& own = workers[worker].removals;
        const size_t before = own.size();
        scan ? scan_small_group(matcher, group, workers[worker]) : connect_small_group(matcher, group, workers[worker]);
        const auto is_new = [&](const Removal& removal) { return !matcher.copies_reference(removal.document); };
        matcher.done(group.size(),
                     static_cast<uint64_t>(std::ranges::count_if(own.begin() + static_cast<ptrdiff_t>(before), own.end(), is_new)));
      },
      [&](std::span<const uint32_t> group) {
        const auto more = scan ? scan_large_group(matcher, group, threads, stats) : connect_large_group(matcher, group, threads, stats);
        removals.insert(removals.end(), more.begin(), more.end());
      });
  for (const Worker& worker : workers) {
    removals.insert(removals.end(), worker.removals.begin(), worker.removals.end());
    stats.verifications += worker.scratch.verifications;
    stats.just_below += worker.just_below;
  }
  std::sort(removals.begin(), removals.end(), [](const Removal& a, const Removal& b) { return a.document < b.document; });
  return removals;
}

void join_groups(const Matcher& matcher, uint32_t threads, const EmitPair& emit, GroupStats& stats, size_t small_group) {
  std::vector<Matcher::Scratch> scratch(threads);
  for_groups(
      matcher.inputs().candidates, threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        for (size_t i = 1; i < group.size(); ++i) {
          for (size_t j = 0; j < i; ++j) {
            if (!matcher.comparable(group[i], group[j])) continue;
            if (const auto overlap = matcher.match(group[i], group[j], scratch[worker])) {
              emit(worker, matcher.document(group[j]), matcher.document(group[i]), *overlap);
            }
          }
        }
        matcher.done(group.size());
      },
      [&](std::span<const uint32_t> group) { join_large_group(matcher, group, threads, emit, stats); });
  for (const Matcher::Scratch& each : scratch) stats.verifications += each.verifications;
}

}  // namespace neardup
