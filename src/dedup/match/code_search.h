// CodeSearch: which members of a large group that are still in have a fingerprint within the distance of another one's?
//
// The members come block by block in rank order, as LargeGroup describes. A search visits the nearest in rank order first and ends when
// its visitor has enough, so that a million equal fingerprints cost a look each. What can never match is not even looked at: a document
// of the reference corpus meets no other one, and when only pairs across sets are asked for, the largest set does not meet itself.
//
// Not thread-safe but for visit(), which any number of threads may call between the other calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/matcher.h"
#include "dedup/match/union_find.h"
#include "index/hamming/hamming_scan.h"

namespace neardup {

class CodeSearch {
 public:
  CodeSearch(const Matcher& matcher, std::span<const uint32_t> group) : matcher_(matcher), group_(group) {
    settled_ = std::ranges::any_of(group, [&](uint32_t ordinal) { return matcher.settled(ordinal); });
  }

  /// The members from `begin` on are the block. Those of a block that was not left stay in.
  void enter_block(uint32_t begin) {
    for (; begin_ < begin; ++begin_) let_in(begin_);
  }
  template <typename Keep>
  void leave_block(uint32_t end, const Keep& keep) {
    for (; begin_ < end; ++begin_) {
      if (keep(begin_)) let_in(begin_);
    }
  }

  /// Before the first block: from now on only pairs of different sets are of interest; at least these are visited.
  void look_across(UnionFind& sets) {
    std::vector<uint32_t> sizes(group_.size());
    for (uint32_t member = 0; member < group_.size(); ++member) ++sizes[sets.root(member)];
    const auto largest = static_cast<uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
    in_largest_.resize(group_.size());
    for (uint32_t member = 0; member < group_.size(); ++member) in_largest_[member] = sets.root(member) == largest;
  }

  /// Calls visit(other), in rank order, for the members that are in, or of the block and before `member` (of the block), until it returns
  /// false.
  template <typename Visit>
  void visit(uint32_t member, const Visit& visit) const {
    const uint32_t radius = matcher_.inputs().rule.max_distance;
    const Kept& kept = kept_[2 * matcher_.settled(group_[member]) + of_largest(member)];
    bool more = true;
    kept.codes.visit(code(member), radius, [&](uint32_t number) { return more = visit(kept.members[number]); });
    for (uint32_t other = begin_; more && other < member; ++other) {
      if (hamming_distance(code(member), code(other)) <= radius) more = visit(other);
    }
  }

 private:
  struct Kept {
    HammingScan<Fingerprint128> codes;
    std::vector<uint32_t> members;  // by number in the scan
  };

  [[nodiscard]] const Fingerprint128& code(uint32_t member) const noexcept { return matcher_.inputs().candidates.codes[group_[member]]; }
  [[nodiscard]] bool of_largest(uint32_t member) const noexcept { return !in_largest_.empty() && in_largest_[member] != 0; }

  void let_in(uint32_t member) {
    const auto add = [&](Kept& kept) {
      kept.codes.add(code(member));
      kept.members.push_back(member);
    };
    const bool own = settled_ && !matcher_.settled(group_[member]);
    const bool outside = !in_largest_.empty() && in_largest_[member] == 0;
    add(kept_[0]);
    if (outside) add(kept_[1]);
    if (own) add(kept_[2]);
    if (own && outside) add(kept_[3]);
  }

  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  bool settled_ = false;
  uint32_t begin_ = 0;               // of the block
  std::vector<uint8_t> in_largest_;  // by member; empty before look_across()
  std::array<Kept, 4> kept_;         // what meets: anyone, the largest set (1), those that are settled (2), both (3)
};

}  // namespace neardup
