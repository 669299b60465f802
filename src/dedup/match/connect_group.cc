#include "dedup/match/connect_group.h"

#include <algorithm>
#include <compare>
#include <numeric>

#include "base/parallel.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/match/large_group.h"
#include "dedup/match/scan_group.h"
#include "index/hamming/hamming_scan.h"

namespace neardup {
namespace {

// `sets` is over positions in `group`.
void remove_by_component(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, UnionFind& sets,
                         Matcher::Scratch& scratch, std::vector<Removal>& removals) {
  for (uint32_t i = 0; i < group.size(); ++i) {
    const uint32_t best = sets.root(i);  // positions are in rank order, so the smallest is the best
    if (best == i || in.decided(group[i])) continue;
    const Overlap overlap = matcher.overlap(group[i], group[best], scratch);
    removals.push_back({in.document(group[i]), in.document(group[best]), overlap, !matcher.met_by(overlap)});
  }
}

// Joins the sets of all matching members. Sets are joined only between blocks, so that the skipped pairs and the number of verifications do
// not depend on threads.
template <BlockSearch Search>
void connect_blocks(const GroupInputs& in, Search& search, std::span<const uint32_t> group, UnionFind& sets, GroupStats& stats) {
  LargeGroup large(in, search, static_cast<uint32_t>(group.size()));
  search.restrict_to_cross_set_pairs(sets);
  std::vector<std::vector<uint32_t>> found(kBlock);
  large.for_blocks([&](uint32_t begin, uint32_t end) {
    large.for_members(begin, end, [&](uint32_t worker, uint32_t member) {
      std::vector<uint32_t>& own = found[member - begin];
      own.clear();
      large.for_candidates(member, worker, [&](uint32_t other) {
        if (sets.root(member) != sets.root(other) && large.match(member, other, worker)) own.push_back(other);
        return true;
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      for (const uint32_t other : found[i]) sets.unite(begin + i, other);
    }
  });
  large.add_to(stats);
}

// Solves groups judged by the distance: equal fingerprints are one, so that a million of them cost a sort. Two decided documents do not
// connect; a fingerprint that only decided documents have needs an open document within the distance.
void connect_judged_by_distance(const GroupInputs& in, std::span<const uint32_t> group, UnionFind& sets) {
  const auto& codes = in.candidates.codes;
  const auto decided = [&](uint32_t member) { return in.decided(group[member]); };
  if (std::ranges::none_of(group, [&](uint32_t ordinal) { return in.decided(ordinal); })) {
    for (uint32_t member = 1; member < group.size(); ++member) sets.unite(0, member);  // the group is what the distance connects
    return;
  }
  std::vector<uint32_t> members(group.size());
  std::iota(members.begin(), members.end(), 0U);
  std::ranges::sort(members, [&](uint32_t a, uint32_t b) {
    const auto order = codes[group[a]] <=> codes[group[b]];
    return std::is_neq(order) ? std::is_lt(order) : decided(a) != decided(b) ? decided(b) : a < b;
  });
  const auto same_code = [&](size_t i, size_t j) { return codes[group[members[i]]] == codes[group[members[j]]]; };
  std::vector<size_t> first;  // of each code in `members`; its open documents come before the decided ones
  HammingScan<Fingerprint128> own;
  std::vector<uint32_t> owner;  // number in `own` -> member
  for (size_t i = 0; i < members.size(); ++i) {
    if (i > 0 && same_code(i - 1, i)) continue;
    first.push_back(i);
    if (decided(members[i])) continue;
    own.add(codes[group[members[i]]]);
    owner.push_back(members[i]);
  }
  first.push_back(members.size());
  parallel_for(in.threads, first.size() - 1, 64, [&](uint32_t, size_t c) {
    const uint32_t best = members[first[c]];
    const auto unite_all = [&](uint32_t with) {
      for (size_t i = first[c]; i < first[c + 1]; ++i) sets.unite(with, members[i]);
    };
    // An open document connects all documents with its code. Without one, they connect through the first open neighbour, if any.
    if (!decided(best)) unite_all(best);
    bool alone = decided(best);
    own.visit(codes[group[best]], in.strategy.rule.max_distance, [&](uint32_t number) {
      if (alone) unite_all(owner[number]);
      alone = false;
      if (sets.root(owner[number]) != sets.root(best)) sets.unite(owner[number], best);
      return true;
    });
  });
}

// The sets made by the scan rule and the copies of reference documents. They join near-equal documents at little cost.
void connect_by_scan(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, UnionFind& sets, GroupStats& stats) {
  const std::vector<uint32_t>& documents = in.candidates.documents;
  std::vector<uint32_t> member_of(documents.size());
  for (uint32_t member = 0; member < group.size(); ++member) member_of[group[member]] = member;
  const auto member_of_document = [&](uint32_t document) {
    return member_of[static_cast<size_t>(std::lower_bound(documents.begin(), documents.end(), document) - documents.begin())];
  };
  const uint64_t just_below = stats.just_below;
  for (const Removal& removal : scan_large_group(in, matcher, group, stats)) {
    sets.unite(member_of_document(removal.document), member_of_document(removal.keeper));
  }
  stats.just_below = just_below;  // describes what the scan rule keeps; here the scan is only a first step
  for (uint32_t member = 0; member < group.size(); ++member) {
    if (const auto copied = in.copied_reference(group[member])) sets.unite(member, member_of_document(*copied));
  }
}

}  // namespace

void connect_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupWorker& worker) {
  UnionFind sets(static_cast<uint32_t>(group.size()));
  for (uint32_t i = 1; i < group.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (sets.root(i) == sets.root(j) || !matcher.comparable(group[i], group[j])) continue;
      if (matcher.match(group[i], group[j], worker.scratch)) sets.unite(i, j);
    }
  }
  remove_by_component(in, matcher, group, sets, worker.scratch, worker.removals);
}

std::vector<Removal> connect_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group,
                                         GroupStats& stats) {
  UnionFind sets(static_cast<uint32_t>(group.size()));
  if (in.strategy.judge == Judge::kHamming) {
    connect_judged_by_distance(in, group, sets);
  } else {
    // The scan first; then only pairs in different sets need a comparison.
    connect_by_scan(in, matcher, group, sets, stats);
    with_block_search(in, matcher, group, [&](auto& search) { connect_blocks(in, search, group, sets, stats); });
  }
  std::vector<Removal> removals;
  Matcher::Scratch scratch;
  remove_by_component(in, matcher, group, sets, scratch, removals);
  return removals;
}

}  // namespace neardup
