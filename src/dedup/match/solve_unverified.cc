#include "dedup/match/solve_unverified.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/hash.h"
#include "index/lsh/band_keys.h"

namespace neardup {
namespace {

struct KeyHash {
  size_t operator()(uint64_t key) const noexcept { return mix64(key); }
};

Overlap shared_bands(const LshPlan& plan, const uint8_t* a, const uint8_t* b) {
  return {BandKeys::common_bands(plan, a, b), plan.bands, plan.bands};
}

}  // namespace

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
        if (!table.is_protected(candidates.documents[group[i]])) continue;
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
