#include "dedup/match/groups.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "base/parallel.h"
#include "dedup/match/exact_copies.h"
#include "dedup/match/large_groups.h"

namespace neardup {
namespace {

struct Worker {
  Matcher::Scratch scratch;
  std::vector<Removal> removals;
  std::vector<uint32_t> kept;
  uint64_t just_below = 0;
};

void scan_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, Worker& worker) {
  worker.kept.clear();
  for (const uint32_t candidate : group) {
    bool removed = false;
    worker.scratch.just_below = false;
    for (const uint32_t keeper : worker.kept) {
      if (!matcher.comparable(candidate, keeper)) continue;
      if (const auto overlap = matcher.match(candidate, keeper, worker.scratch)) {
        worker.removals.push_back({in.document(candidate), in.document(keeper), *overlap});
        removed = true;
        break;
      }
    }
    if (removed || in.copied_reference(candidate)) continue;
    worker.kept.push_back(candidate);
    worker.just_below += worker.scratch.just_below;
  }
}

void connect_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, Worker& worker) {
  UnionFind sets(static_cast<uint32_t>(group.size()));
  for (uint32_t i = 1; i < group.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (sets.root(i) == sets.root(j) || !matcher.comparable(group[i], group[j])) continue;
      if (matcher.match(group[i], group[j], worker.scratch)) sets.unite(i, j);
    }
  }
  remove_by_component(in, matcher, group, sets, worker.scratch, worker.removals);
}

void join_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, uint32_t worker, const EmitPair& emit,
                      Matcher::Scratch& scratch) {
  for (size_t i = 1; i < group.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!matcher.comparable(group[i], group[j])) continue;
      if (const auto overlap = matcher.match(group[i], group[j], scratch)) {
        emit(worker, in.document(group[j]), in.document(group[i]), *overlap);
      }
    }
  }
}

// Calls small(worker, group) in parallel for the small groups and large(group) one by one for the others, which are parallel inside.
template <typename Small, typename Large>
void for_groups(const Candidates& candidates, uint32_t threads, size_t small_group, const Small& small, const Large& large) {
  parallel_for(threads, candidates.group_count(), 64, [&](uint32_t worker, size_t g) {
    if (candidates.group(g).size() <= small_group) small(worker, candidates.group(g));
  });
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    if (candidates.group(g).size() > small_group) large(candidates.group(g));
  }
}

void sort_by_document(std::vector<Removal>& removals) {
  std::sort(removals.begin(), removals.end(), [](const Removal& a, const Removal& b) { return a.document < b.document; });
}

struct KeyHash {
  size_t operator()(uint64_t key) const noexcept { return mix64(key); }
};

Overlap shared_bands(const LshPlan& plan, const uint8_t* a, const uint8_t* b) {
  return {BandKeys::common_bands(plan, a, b), plan.bands, plan.bands};
}

}  // namespace

std::optional<uint32_t> GroupInputs::copied_reference(uint32_t ordinal) const noexcept {
  if (copy_of.empty() || !copies_reference(table, copy_of, document(ordinal))) return std::nullopt;
  return copy_of[document(ordinal)];
}

void remove_by_component(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, UnionFind& sets,
                         Matcher::Scratch& scratch, std::vector<Removal>& removals) {
  for (uint32_t i = 0; i < group.size(); ++i) {
    const uint32_t best = sets.root(i);  // positions are in rank order, so the smallest is the best
    if (best == i || in.decided(group[i])) continue;
    const Overlap overlap = matcher.overlap(group[i], group[best], scratch);
    removals.push_back({in.document(group[i]), in.document(group[best]), overlap, !matcher.met_by(overlap)});
  }
}

std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group) {
  const Matcher matcher(in);
  std::vector<Worker> workers(in.threads);
  std::vector<Removal> removals;
  const bool scan = cluster == Cluster::kScan;
  for_groups(
      in.candidates, in.threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        std::vector<Removal>& own = workers[worker].removals;
        const auto before = static_cast<ptrdiff_t>(own.size());
        scan ? scan_small_group(in, matcher, group, workers[worker]) : connect_small_group(in, matcher, group, workers[worker]);
        const auto is_new = [&](const Removal& removal) {
          return in.copy_of.empty() || !copies_reference(in.table, in.copy_of, removal.document);
        };
        in.done(group.size(), static_cast<uint64_t>(std::ranges::count_if(own.begin() + before, own.end(), is_new)));
      },
      [&](std::span<const uint32_t> group) {
        const auto more = scan ? scan_large_group(in, matcher, group, stats) : connect_large_group(in, matcher, group, stats);
        removals.insert(removals.end(), more.begin(), more.end());
      });
  for (const Worker& worker : workers) {
    removals.insert(removals.end(), worker.removals.begin(), worker.removals.end());
    stats.verifications += worker.scratch.verifications;
    stats.just_below += worker.just_below;
  }
  sort_by_document(removals);
  return removals;
}

void join_groups(const GroupInputs& in, const EmitPair& emit, GroupStats& stats, size_t small_group) {
  const Matcher matcher(in);
  std::vector<Matcher::Scratch> scratch(in.threads);
  for_groups(
      in.candidates, in.threads, small_group,
      [&](uint32_t worker, std::span<const uint32_t> group) {
        join_small_group(in, matcher, group, worker, emit, scratch[worker]);
        in.done(group.size());
      },
      [&](std::span<const uint32_t> group) { join_large_group(in, matcher, group, emit, stats); });
  for (const Matcher::Scratch& each : scratch) stats.verifications += each.verifications;
}

// One table lookup per band and document: only the first kept document of each key can be the keeper of later ones.
std::vector<Removal> solve_groups_unverified(const DocumentTable& table, const Candidates& candidates, const LshPlan& plan,
                                             Cluster cluster) {
  const auto row = [&](uint32_t ordinal) { return candidates.key_rows.data() + ordinal * BandKeys::row_bytes(plan); };
  std::vector<Removal> removals;
  std::vector<std::unordered_map<uint64_t, uint32_t, KeyHash>> first_kept(plan.bands);  // key -> position in the group
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    const auto group = candidates.group(g);
    for (auto& kept : first_kept) {
      // clear() visits all buckets that an earlier, larger group allocated.
      if (kept.bucket_count() > 16 * group.size()) kept = {};
      kept.clear();
    }
    for (uint32_t i = 0; i < group.size(); ++i) {
      const bool decided = table.decided(candidates.documents[group[i]]);
      uint32_t keeper = i;
      if (cluster == Cluster::kComponents) {
        keeper = 0;  // a group is connected by shared bands
      } else {
        for (uint32_t band = 0; band < plan.bands; ++band) {
          const auto at = first_kept[band].find(BandKeys::load(row(group[i]) + band * BandKeys::kKeyBytes));
          if (at != first_kept[band].end()) keeper = std::min(keeper, at->second);
        }
      }
      if (keeper != i && !decided) {
        const Overlap overlap = shared_bands(plan, row(group[i]), row(group[keeper]));
        removals.push_back({candidates.documents[group[i]], candidates.documents[group[keeper]], overlap, overlap.common == 0});
        continue;
      }
      for (uint32_t band = 0; band < plan.bands; ++band) {
        first_kept[band].try_emplace(BandKeys::load(row(group[i]) + band * BandKeys::kKeyBytes), i);
      }
    }
  }
  sort_by_document(removals);
  return removals;
}

}  // namespace neardup
