#include "dedup/match/scan_group.h"

#include "dedup/match/large_group.h"

namespace neardup {
namespace {

// A member that matches.
struct Found {
  uint32_t member;
  Overlap overlap;
};

template <BlockSearch Search>
std::vector<Removal> scan_blocks(const GroupInputs& in, Search& search, std::span<const uint32_t> group, GroupStats& stats) {
  LargeGroup large(in, search, static_cast<uint32_t>(group.size()));
  std::vector<Removal> removals;
  // For each member of a block: its match in an earlier block (then the only one), else all matches in this block.
  std::vector<std::vector<Found>> found(kBlock);
  std::vector<bool> removed(kBlock);
  std::vector<uint8_t> just_below(kBlock);
  large.for_blocks([&](uint32_t begin, uint32_t end) {
    large.for_members(begin, end, [&](uint32_t worker, uint32_t member) {
      std::vector<Found>& own = found[member - begin];
      own.clear();
      large.scratch(worker).just_below = false;
      large.for_candidates(member, worker, [&](uint32_t other) {
        const auto overlap = large.match(member, other, worker);
        if (!overlap) return true;
        own.push_back({other, *overlap});
        // Members of earlier blocks are kept and come first: the first match among them decides. Which members of this block are kept is
        // not known yet.
        return other >= begin;
      });
      just_below[member - begin] = large.scratch(worker).just_below;
    });
    // Sequential, because a match in the same block counts only if it is kept.
    uint64_t duplicates = 0;
    for (uint32_t i = 0; i < end - begin; ++i) {
      removed[i] = false;
      for (const Found& match : found[i]) {
        if (match.member >= begin && removed[match.member - begin]) continue;
        removals.push_back({in.document(group[begin + i]), in.document(group[match.member]), match.overlap});
        removed[i] = true;
        break;
      }
      const bool copy = in.copied_reference(group[begin + i]).has_value();
      const bool matched = removed[i];
      removed[i] = (matched && !in.is_protected(group[begin + i])) || copy;
      duplicates += static_cast<uint64_t>(removed[i] && !copy);
      if (!matched && !copy) stats.just_below += just_below[i];
    }
    in.done(end - begin, duplicates);
    search.leave(end, [&](uint32_t member) { return !removed[member - begin]; });
  });
  large.add_to(stats);
  return removals;
}

}  // namespace

void scan_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupWorker& worker) {
  worker.kept.clear();
  for (const uint32_t candidate : group) {
    bool matched = false;
    worker.scratch.just_below = false;
    for (const uint32_t keeper : worker.kept) {
      if (!matcher.comparable(candidate, keeper)) continue;
      if (const auto overlap = matcher.match(candidate, keeper, worker.scratch)) {
        worker.removals.push_back({in.document(candidate), in.document(keeper), *overlap});
        matched = true;
        break;
      }
    }
    if ((matched && !in.is_protected(candidate)) || in.copied_reference(candidate)) continue;
    worker.kept.push_back(candidate);
    if (!matched) worker.just_below += worker.scratch.just_below;
  }
}

std::vector<Removal> scan_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats) {
  std::vector<Removal> removals;
  with_block_search(in, matcher, group, [&](auto& search) { removals = scan_blocks(in, search, group, stats); });
  return removals;
}

}  // namespace neardup
