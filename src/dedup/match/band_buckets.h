// BandBuckets: within one group, which members share a band key with a given one.
//
// Immutable after construction; shared by threads. Made for groups that hang together by chains, whose buckets are small; pair_count()
// tells beforehand how much work the buckets are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/candidates.h"
#include "index/lsh/lsh_plan.h"

namespace neardup {

class BandBuckets {
 public:
  /// A member is a position in `group`, which holds ordinals of `candidates`. Gives up as soon as there are more than `most_pairs`.
  BandBuckets(const LshPlan& plan, const Candidates& candidates, std::span<const uint32_t> group, uint64_t most_pairs, uint32_t threads);

  /// The pairs of members in all buckets, counted once for every bucket that they share. Above `most_pairs`, nothing else is valid.
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

}  // namespace neardup
