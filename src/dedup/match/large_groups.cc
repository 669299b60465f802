// Large groups block by block: the members of a block look in parallel at what the blocks before have left in, and at each other; then
// the block is decided in rank order by one thread.
#include <algorithm>
#include <compare>
#include <numeric>

#include "dedup/match/groups.h"
#include "dedup/match/large_group.h"
#include "dedup/match/union_find.h"
#include "index/hamming/hamming_scan.h"

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
  std::vector<uint8_t> just_below(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    uint64_t duplicates = 0;
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      found[i].clear();
      matcher.done(0);
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.worker(worker).scratch.just_below = false;
      large.for_candidates(member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = large.match(member, set, other, large.worker(worker))) {
          found[i].push_back({other, *overlap});
          return other >= begin;  // a match in an earlier block decides
        }
        return true;
      });
      just_below[i] = large.worker(worker).scratch.just_below;
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      removed[i] = false;
      for (const Found& match : found[i]) {
        if (match.member >= begin && removed[match.member - begin]) continue;
        removals.push_back({large.document(begin + i), large.document(match.member), match.overlap});
        removed[i] = true;
        break;
      }
      const bool copy = matcher.copied_reference(group[begin + i]).has_value();
      duplicates += static_cast<uint64_t>(removed[i] && !copy);
      removed[i] = removed[i] || copy;
      if (!removed[i]) stats.just_below += just_below[i];
    }
    matcher.done(end - begin, duplicates);
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
      matcher.done(0);
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.for_candidates(member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = large.match(member, set, other, large.worker(worker))) {
          emit(worker, large.document(other), large.document(member), *overlap);
        }
        return true;
      });
    });
    matcher.done(end - begin);
  }
  large.add_to(stats);
}

namespace {

// All that the distance judges: equal fingerprints are one, so that a million of them cost a sort. Two documents of the reference corpus
// do not connect; fingerprints that occur only there need one of another document within the distance.
void connect_by_distance(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, UnionFind& sets) {
  const auto& codes = matcher.inputs().candidates.codes;
  const auto settled = [&](uint32_t member) { return matcher.settled(group[member]); };
  if (std::ranges::none_of(group, [&](uint32_t ordinal) { return matcher.settled(ordinal); })) {
    for (uint32_t member = 1; member < group.size(); ++member) sets.unite(0, member);  // the group is what the distance connects
    return;
  }
  std::vector<uint32_t> members(group.size());
  std::iota(members.begin(), members.end(), 0U);
  std::ranges::sort(members, [&](uint32_t a, uint32_t b) {
    const auto order = codes[group[a]] <=> codes[group[b]];
    return std::is_neq(order) ? std::is_lt(order) : settled(a) != settled(b) ? settled(b) : a < b;
  });
  const auto same_code = [&](size_t i, size_t j) { return codes[group[members[i]]] == codes[group[members[j]]]; };
  std::vector<size_t> first;  // of each code in `members`; its own documents come before those of the reference corpus
  HammingScan<Fingerprint128> own;
  std::vector<uint32_t> owner;  // number in `own` -> member
  for (size_t i = 0; i < members.size(); ++i) {
    if (i > 0 && same_code(i - 1, i)) continue;
    first.push_back(i);
    if (settled(members[i])) continue;
    own.add(codes[group[members[i]]]);
    owner.push_back(members[i]);
  }
  first.push_back(members.size());
  parallel_for(threads, first.size() - 1, 64, [&](uint32_t, size_t c) {
    const uint32_t best = members[first[c]];
    const auto unite_all = [&](uint32_t with) {
      for (size_t i = first[c]; i < first[c + 1]; ++i) sets.unite(with, members[i]);
    };
    if (!settled(best)) unite_all(best);
    bool alone = settled(best);
    own.visit(codes[group[best]], matcher.inputs().rule.max_distance, [&](uint32_t number) {
      if (alone) unite_all(owner[number]);
      alone = false;
      if (sets.root(owner[number]) != sets.root(best)) sets.unite(owner[number], best);
      return true;
    });
  });
}

}  // namespace

std::vector<Removal> connect_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats) {
  if (matcher.inputs().judge == Judge::kHamming) {
    UnionFind near(static_cast<uint32_t>(group.size()));
    connect_by_distance(matcher, group, threads, near);
    std::vector<Removal> removals;
    Matcher::Scratch scratch;
    remove_by_component(matcher, group, near, scratch, removals);
    return removals;
  }
  // The scan first: it joins everything near-equal at little cost. Then only pairs that are still apart need a look.
  std::vector<uint32_t> member_of(matcher.inputs().candidates.documents.size());
  for (uint32_t member = 0; member < group.size(); ++member) member_of[group[member]] = member;
  const auto member_of_document = [&](uint32_t document) {
    const auto& documents = matcher.inputs().candidates.documents;
    return member_of[static_cast<size_t>(std::lower_bound(documents.begin(), documents.end(), document) - documents.begin())];
  };
  UnionFind sets(static_cast<uint32_t>(group.size()));
  const uint64_t just_below = stats.just_below;
  for (const Removal& removal : scan_large_group(matcher, group, threads, stats)) {
    sets.unite(member_of_document(removal.document), member_of_document(removal.keeper));
  }
  stats.just_below = just_below;  // says what the scan rule keeps; here it only comes first
  for (uint32_t member = 0; member < group.size(); ++member) {
    if (const auto copied = matcher.copied_reference(group[member])) sets.unite(member, member_of_document(*copied));
  }
  LargeGroup large(matcher, group, threads);
  large.look_across(sets);
  // Sets are joined between blocks only, so that which pairs are skipped does not depend on threads.
  std::vector<std::vector<uint32_t>> found(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      matcher.done(0);
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
