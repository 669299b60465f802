#include "dedup/match/match_kept.h"

#include <optional>

#include "dedup/match/candidates/union_find.h"
#include "dedup/match/large_group.h"

namespace neardup {
namespace {

// A later member and the kept one that it matches.
struct KeptMatch {
  uint32_t kept;
  Overlap overlap;
};

template <BlockSearch Search>
void match_blocks(const GroupInputs& in, Search& search, std::span<const uint32_t> group, uint32_t kept, std::vector<Removal>& removals,
                  GroupStats& stats) {
  const auto size = static_cast<uint32_t>(group.size());
  LargeGroup large(in, search, size);
  UnionFind sets(size);
  for (uint32_t member = 1; member < kept; ++member) sets.unite(0, member);
  for (uint32_t member = kept + 1; member < size; ++member) sets.unite(kept, member);
  search.restrict_to_cross_set_pairs(sets);
  std::vector<std::optional<KeptMatch>> found(kBlock);
  large.for_blocks([&](uint32_t begin, uint32_t end) {
    large.for_members(begin, end, [&](uint32_t worker, uint32_t member) {
      found[member - begin].reset();
      if (member < kept) return;
      large.for_candidates(member, worker, [&](uint32_t other) {
        const auto overlap = large.match(member, other, worker);
        if (overlap) found[member - begin] = KeptMatch{other, *overlap};
        return !overlap.has_value();  // members come in rank order: the first match decides
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      if (found[i]) removals.push_back({in.document(group[begin + i]), in.document(group[found[i]->kept]), found[i]->overlap});
    }
    search.leave(end, [&](uint32_t member) { return member < kept; });
  });
  large.add_to(stats);
}

}  // namespace

std::vector<Removal> match_kept(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, uint32_t kept,
                                GroupStats& stats) {
  std::vector<Removal> removals;
  with_block_search(in, matcher, group, [&](auto& search) { match_blocks(in, search, group, kept, removals, stats); });
  return removals;
}

}  // namespace neardup
