// BucketSearch: a BlockSearch over the buckets of an LSH search: the members that are in and share a band key with a given one.
//
// For groups that are connected by chains, whose buckets are small: the number of pairs is known before any is compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/block_search.h"
#include "dedup/match/group_inputs.h"

namespace neardup {

/// The members of a group that share a band key with a given one. Immutable after construction; shared by threads.
class BandBuckets {
 public:
  /// Stops as soon as there are more than `max_pairs`.
  BandBuckets(const LshPlan& plan, const Candidates& candidates, std::span<const uint32_t> group, uint64_t max_pairs, uint32_t threads);

  /// The pairs of members in all buckets, counted once for every bucket that they share. Above `max_pairs`, nothing else is valid.
  [[nodiscard]] uint64_t pair_count() const noexcept { return pair_count_; }

  /// Replaces `out` by the members below `member` that share a key with it and are `present` (1, else 0), ascending and once each.
  void find(uint32_t member, std::span<const uint8_t> present, std::vector<uint32_t>& out) const;

 private:
  std::vector<uint32_t> bucket_begin_;  // bucket b is bucket_members_[bucket_begin_[b] .. bucket_begin_[b + 1]), ascending
  std::vector<uint32_t> bucket_members_;
  std::vector<uint32_t> member_begin_;  // the buckets of member m are member_buckets_[member_begin_[m] .. member_begin_[m + 1])
  std::vector<uint32_t> member_buckets_;
  uint64_t pair_count_ = 0;
};

class BucketSearch {
 public:
  /// `buckets` of this group. Requires an LSH search alone.
  BucketSearch(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, BandBuckets buckets)
      : matcher_(matcher),
        group_(group),
        buckets_(std::move(buckets)),
        weighted_(in.strategy.weighted()),
        features_(in.features, group, in.threads),
        found_(in.threads),
        present_(group.size(), 0) {}

  void enter(uint32_t begin, uint32_t end) {
    begin_ = begin;
    std::fill(present_.begin() + begin, present_.begin() + end, uint8_t{1});
  }
  template <typename Keep>
  void leave(uint32_t end, const Keep& keep) {
    for (uint32_t member = begin_; member < end; ++member) present_[member] = keep(member);
  }
  // Buckets do not depend on sets; there are few pairs in any case.
  void restrict_to_cross_set_pairs(UnionFind&) {}

  template <typename Visit>
  void visit(uint32_t member, uint32_t worker, const Visit& visit) {
    buckets_.find(member, present_, found_[worker]);
    for (const uint32_t other : found_[worker]) {
      if (!visit(other)) return;
    }
  }

  [[nodiscard]] bool comparable(uint32_t member, uint32_t other) const noexcept {
    return matcher_.sharing_comparable(group_[member], group_[other]);
  }
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, uint32_t other, uint32_t worker, Matcher::Scratch& scratch) {
    if (weighted_) return matcher_.match(group_[member], group_[other], scratch);
    return matcher_.match(features_.read(member, worker), group_[other], scratch);
  }

 private:
  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  const BandBuckets buckets_;
  const bool weighted_;
  MemberFeatures features_;
  std::vector<std::vector<uint32_t>> found_;  // by worker
  uint32_t begin_ = 0;                        // of the block
  std::vector<uint8_t> present_;              // by member: it is in
};

}  // namespace neardup
