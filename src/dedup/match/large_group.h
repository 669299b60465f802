// LargeGroup: one large group, solved block by block: the members of a block are compared in parallel with the remaining members of earlier
// blocks, and with each other; then one thread decides the block in rank order. A BlockSearch finds the members to compare.
//
// So neither a million near-equal documents nor many that share boilerplate cost n squared. What the members of a block mean for each other
// is up to the caller: scan_group.cc, connect_group.cc, join_groups.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "dedup/match/block_search.h"
#include "dedup/match/bucket_search.h"
#include "dedup/match/code_search.h"
#include "dedup/match/group_inputs.h"
#include "dedup/match/member_search.h"
#include "dedup/match/prefix_search.h"

namespace neardup {

static_assert(BlockSearch<CodeSearch> && BlockSearch<BucketSearch> && BlockSearch<MemberSearch> && BlockSearch<PrefixSearch>);

/// Calls use(search) with the search that suits the group.
template <typename Use>
void with_block_search(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, const Use& use) {
  const PairRule& rule = in.strategy.rule;
  if (rule.bits != 0 && in.strategy.judge != Judge::kJaccard) {
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
  if (in.strategy.weighted()) {  // the prefixes of sets say nothing about their weights
    MemberSearch search(matcher, group);
    return use(search);
  }
  PrefixSearch search(in, matcher, group);
  use(search);
}

/// One large group and a search through it: visits of members by several workers, up to the cap.
template <BlockSearch Search>
class LargeGroup {
 public:
  struct Worker {
    Matcher::Scratch scratch;
    uint64_t capped = 0;
  };

  LargeGroup(const GroupInputs& in, Search& search, uint32_t size) : in_(in), search_(search), size_(size), workers_(in.threads) {}

  /// Calls block(begin, end) for all blocks in order, with their members in the search.
  template <typename Block>
  void for_blocks(const Block& block) {
    for (uint32_t begin = 0; begin < size_; begin += kBlock) {
      const uint32_t end = std::min(begin + kBlock, size_);
      search_.enter(begin, end);
      block(begin, end);
    }
  }

  /// Calls visit(worker, member) for the members of a block, in parallel. Asks before each whether to stop.
  template <typename Visit>
  void for_members(uint32_t begin, uint32_t end, const Visit& visit) const {
    parallel_for(in_.threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      in_.done(0);
      visit(worker, begin + static_cast<uint32_t>(i));
    });
  }

  /// Calls visit(other) for the members that are comparable with `member`, in rank order, until it returns false or the cap is met. Under
  /// the cap a member may miss a match: it counts as capped.
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

  /// For two members that for_candidates() found.
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

}  // namespace neardup
