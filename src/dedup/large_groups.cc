// Large groups block by block: the members of a block look in parallel at what the blocks before have left in, and at each other; then
// the block is decided in rank order by one thread.
#include <algorithm>

#include "dedup/groups.h"
#include "dedup/large_group.h"
#include "dedup/union_find.h"

namespace neardup {
namespace {

constexpr uint32_t kBlock = LargeGroup::kBlock;

struct Found {
  uint32_t member;
  Overlap overlap;
};

}  // namespace

std::vector<Removal> scan_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats) {
  LargeGroup large(matcher, group, threads);
  std::vector<Removal> removals;
  // For each member of a block: its match in an earlier block (then it is the only one), else all matches in this block.
  std::vector<std::vector<Found>> found(kBlock);
  std::vector<bool> removed(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      found[i].clear();
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.for_candidates(member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = large.match(member, set, other, large.worker(worker))) {
          found[i].push_back({other, *overlap});
          return other >= begin;  // a match in an earlier block decides
        }
        return true;
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      removed[i] = false;
      for (const Found& match : found[i]) {
        if (match.member >= begin && removed[match.member - begin]) continue;
        removals.push_back({large.document(begin + i), large.document(match.member), match.overlap});
        removed[i] = true;
        break;
      }
    }
    large.leave_block(end, [&](uint32_t member) { return !removed[member - begin]; });
  }
  large.add_to(stats);
  return removals;
}

void join_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, const EmitPair& emit, GroupStats& stats) {
  LargeGroup large(matcher, group, threads);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.for_candidates(member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = large.match(member, set, other, large.worker(worker))) {
          emit(worker, large.document(other), large.document(member), *overlap);
        }
        return true;
      });
    });
  }
  large.add_to(stats);
}

std::vector<Removal> connect_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats) {
  // The scan first: it joins everything near-equal at little cost. Then only pairs that are still apart need a look.
  std::vector<uint32_t> member_of(matcher.inputs().candidates.documents.size());
  for (uint32_t member = 0; member < group.size(); ++member) member_of[group[member]] = member;
  const auto member_of_document = [&](uint32_t document) {
    const auto& documents = matcher.inputs().candidates.documents;
    return member_of[static_cast<size_t>(std::lower_bound(documents.begin(), documents.end(), document) - documents.begin())];
  };
  UnionFind sets(static_cast<uint32_t>(group.size()));
  for (const Removal& removal : scan_large_group(matcher, group, threads, stats)) {
    sets.unite(member_of_document(removal.document), member_of_document(removal.keeper));
  }
  LargeGroup large(matcher, group, threads);
  large.look_across(sets);
  // Sets are joined between blocks only, so that which pairs are skipped does not depend on threads.
  std::vector<std::vector<uint32_t>> found(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      const uint32_t member = begin + static_cast<uint32_t>(i);
      found[i].clear();
      large.for_candidates(member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (sets.root(member) != sets.root(other) && large.match(member, set, other, large.worker(worker))) found[i].push_back(other);
        return true;
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      for (const uint32_t other : found[i]) sets.unite(begin + i, other);
    }
  }
  large.add_to(stats);
  std::vector<Removal> removals;
  Matcher::Scratch scratch;
  remove_by_component(matcher, group, sets, scratch, removals);
  return removals;
}

}  // namespace neardup
