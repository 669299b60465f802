#include "dedup/match/large_groups.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "dedup/match/block_search.h"
#include "dedup/match/bucket_search.h"
#include "dedup/match/code_search.h"
#include "dedup/match/prefix_search.h"
#include "index/hamming/hamming_scan.h"

namespace neardup {
namespace {

static_assert(BlockSearch<CodeSearch> && BlockSearch<BucketSearch> && BlockSearch<PrefixSearch>);

// Calls use(search) with the search that suits the group.
template <typename Use>
void with_search(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, const Use& use) {
  const PairRule& rule = in.strategy.rule;
  if (in.strategy.judge != Judge::kJaccard) {
    CodeSearch search(in, matcher, group);
    return use(search);
  }
  if (rule.lsh.bands != 0 && rule.bits == 0) {
    const uint64_t max_pairs = group.size() * in.bucket_pairs_per_member;
    BandBuckets buckets(rule.lsh, in.candidates, group, max_pairs, in.threads);
    if (buckets.pair_count() <= max_pairs) {
      BucketSearch search(in, matcher, group, std::move(buckets));
      return use(search);
    }
  }
  PrefixSearch search(in, matcher, group);
  use(search);
}

// One large group and a search through it: visits of members by several workers, up to the cap.
template <BlockSearch Search>
class LargeGroup {
 public:
  struct Worker {
    Matcher::Scratch scratch;
    uint64_t capped = 0;
  };

  LargeGroup(const GroupInputs& in, Search& search, uint32_t size) : in_(in), search_(search), size_(size), workers_(in.threads) {}

  // Calls block(begin, end) for all blocks in order, with their members in the search.
  template <typename Block>
  void for_blocks(const Block& block) {
    for (uint32_t begin = 0; begin < size_; begin += kBlock) {
      const uint32_t end = std::min(begin + kBlock, size_);
      search_.enter(begin, end);
      block(begin, end);
    }
  }

  // Calls visit(worker, member) for the members of a block, in parallel. Asks before each whether to stop.
  template <typename Visit>
  void for_members(uint32_t begin, uint32_t end, const Visit& visit) const {
    parallel_for(in_.threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      in_.done(0);
      visit(worker, begin + static_cast<uint32_t>(i));
    });
  }

  // Calls visit(other) for the members that are comparable with `member`, in rank order, until it returns false or the cap is met. Under
  // the cap a member may miss a match: it counts as capped.
  template <typename Visit>
  void for_candidates(uint32_t member, uint32_t worker, const Visit& visit) {
    Worker& own = workers_[worker];
    const uint64_t before = own.scratch.verifications;
    search_.visit(member, worker, [&](uint32_t other) {
      if (!search_.comparable(member, other)) return true;
      if (in_.max_candidates != 0 && own.scratch.verifications - before >= in_.max_candidates) {
        ++own.capped;
        return false;
      }
      return static_cast<bool>(visit(other));
    });
  }

  // For two members that for_candidates() found.
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, uint32_t other, uint32_t worker) {
    return search_.match(member, other, worker, workers_[worker].scratch);
  }
  [[nodiscard]] Matcher::Scratch& scratch(uint32_t worker) noexcept { return workers_[worker].scratch; }

  void add_to(GroupStats& stats) const {
    for (const Worker& worker : workers_) {
      stats.verifications += worker.scratch.verifications;
      stats.capped_documents += worker.capped;
    }
  }

 private:
  const GroupInputs& in_;
  Search& search_;
  const uint32_t size_;
  std::vector<Worker> workers_;
};

// A member that matches.
struct Found {
  uint32_t member;
  Overlap overlap;
};

template <BlockSearch Search>
std::vector<Removal> scan(const GroupInputs& in, Search& search, std::span<const uint32_t> group, GroupStats& stats) {
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
      duplicates += static_cast<uint64_t>(removed[i] && !copy);
      removed[i] = removed[i] || copy;
      if (!removed[i]) stats.just_below += just_below[i];
    }
    in.done(end - begin, duplicates);
    search.leave(end, [&](uint32_t member) { return !removed[member - begin]; });
  });
  large.add_to(stats);
  return removals;
}

// No member is taken out: every member is compared with all before it.
template <BlockSearch Search>
void join(const GroupInputs& in, Search& search, std::span<const uint32_t> group, const EmitPair& emit, GroupStats& stats) {
  LargeGroup large(in, search, static_cast<uint32_t>(group.size()));
  large.for_blocks([&](uint32_t begin, uint32_t end) {
    large.for_members(begin, end, [&](uint32_t worker, uint32_t member) {
      large.for_candidates(member, worker, [&](uint32_t other) {
        if (const auto overlap = large.match(member, other, worker)) {
          emit(worker, in.document(group[other]), in.document(group[member]), *overlap);
        }
        return true;
      });
    });
    in.done(end - begin);
  });
  large.add_to(stats);
}

// Joins the sets of all matching members. Sets are joined only between blocks, so that the skipped pairs and the number of verifications do
// not depend on threads.
template <BlockSearch Search>
void connect(const GroupInputs& in, Search& search, std::span<const uint32_t> group, UnionFind& sets, GroupStats& stats) {
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
void connect_by_distance(const GroupInputs& in, std::span<const uint32_t> group, UnionFind& sets) {
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

std::vector<Removal> scan_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats) {
  std::vector<Removal> removals;
  with_search(in, matcher, group, [&](auto& search) { removals = scan(in, search, group, stats); });
  return removals;
}

void join_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, const EmitPair& emit,
                      GroupStats& stats) {
  with_search(in, matcher, group, [&](auto& search) { join(in, search, group, emit, stats); });
}

std::vector<Removal> connect_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group,
                                         GroupStats& stats) {
  UnionFind sets(static_cast<uint32_t>(group.size()));
  if (in.strategy.judge == Judge::kHamming) {
    connect_by_distance(in, group, sets);
  } else {
    // The scan first; then only pairs in different sets need a comparison.
    connect_by_scan(in, matcher, group, sets, stats);
    with_search(in, matcher, group, [&](auto& search) { connect(in, search, group, sets, stats); });
  }
  std::vector<Removal> removals;
  Matcher::Scratch scratch;
  remove_by_component(in, matcher, group, sets, scratch, removals);
  return removals;
}

}  // namespace neardup
