// MemberSearch: a BlockSearch that finds all members that are in: pair by pair.
//
// For measures of weighted features in groups whose buckets make too many pairs. Such groups are mostly near-equal documents, of which the
// scan rule keeps few, so few members are in; a pair that shares no band costs a comparison of its band keys only. Jobs that keep every
// member in, such as pairs(), take the square of the size of the group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/block_search.h"
#include "dedup/match/matcher.h"

namespace neardup {

class MemberSearch {
 public:
  MemberSearch(const Matcher& matcher, std::span<const uint32_t> group) : matcher_(matcher), group_(group) {}

  void enter(uint32_t begin, uint32_t) {
    for (; begin_ < begin; ++begin_) kept_.push_back(begin_);
  }
  template <typename Keep>
  void leave(uint32_t end, const Keep& keep) {
    for (; begin_ < end; ++begin_) {
      if (keep(begin_)) kept_.push_back(begin_);
    }
  }
  void restrict_to_cross_set_pairs(UnionFind& sets) {
    set_of_.resize(group_.size());
    for (uint32_t member = 0; member < group_.size(); ++member) set_of_[member] = sets.root(member);
  }

  template <typename Visit>
  void visit(uint32_t member, uint32_t, const Visit& visit) const {
    for (const uint32_t other : kept_) {
      if (!same_set(member, other) && !visit(other)) return;
    }
    for (uint32_t other = begin_; other < member; ++other) {
      if (!same_set(member, other) && !visit(other)) return;
    }
  }

  [[nodiscard]] bool comparable(uint32_t member, uint32_t other) const noexcept {
    return matcher_.comparable(group_[member], group_[other]);
  }
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, uint32_t other, uint32_t, Matcher::Scratch& scratch) const {
    return matcher_.match(group_[member], group_[other], scratch);
  }

 private:
  // As the sets were before the first block: they only grow.
  [[nodiscard]] bool same_set(uint32_t a, uint32_t b) const noexcept { return !set_of_.empty() && set_of_[a] == set_of_[b]; }

  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  uint32_t begin_ = 0;            // of the block
  std::vector<uint32_t> kept_;    // the members of earlier blocks that are in, ascending
  std::vector<uint32_t> set_of_;  // by member; empty before restrict_to_cross_set_pairs()
};

}  // namespace neardup
