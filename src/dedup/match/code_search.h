// CodeSearch: a BlockSearch over fingerprints: finds present members with a fingerprint within the distance of a given one.
//
// A search visits the first in rank order first and ends when its visitor has enough, so that a million equal fingerprints cost one
// comparison each. Pairs that can never match are skipped: decided documents are not compared with each other, and when only pairs of
// different sets are needed, the largest set is not compared with itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/block_search.h"
#include "dedup/match/group_inputs.h"
#include "index/hamming/hamming_scan.h"

namespace neardup {

class CodeSearch {
 public:
  CodeSearch(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group)
      : in_(in),
        matcher_(matcher),
        group_(group),
        max_distance_(in.strategy.rule.max_distance),
        any_decided_(std::ranges::any_of(group, [&](uint32_t ordinal) { return in.decided(ordinal); })) {}

  // The members of the block are not in the scans yet: each sees only those before it, which visit() compares one by one.
  void enter(uint32_t begin, uint32_t) {
    for (; begin_ < begin; ++begin_) add_member(begin_);
  }
  template <typename Keep>
  void leave(uint32_t end, const Keep& keep) {
    for (; begin_ < end; ++begin_) {
      if (keep(begin_)) add_member(begin_);
    }
  }

  void restrict_to_cross_set_pairs(UnionFind& sets) {
    std::vector<uint32_t> sizes(group_.size());
    for (uint32_t member = 0; member < group_.size(); ++member) ++sizes[sets.root(member)];
    const auto largest = static_cast<uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
    in_largest_.resize(group_.size());
    for (uint32_t member = 0; member < group_.size(); ++member) in_largest_[member] = sets.root(member) == largest;
  }

  template <typename Visit>
  void visit(uint32_t member, uint32_t, const Visit& visit) const {
    const Kept& kept = kept_[2 * in_.decided(group_[member]) + of_largest(member)];
    bool more = true;
    kept.codes.visit(code(member), max_distance_, [&](uint32_t number) { return more = visit(kept.members[number]); });
    for (uint32_t other = begin_; more && other < member; ++other) {
      if (hamming_distance(code(member), code(other)) <= max_distance_) more = visit(other);
    }
  }

  [[nodiscard]] bool comparable(uint32_t member, uint32_t other) const noexcept {
    return matcher_.comparable(group_[member], group_[other]);
  }
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, uint32_t other, uint32_t, Matcher::Scratch& scratch) const {
    return matcher_.match(group_[member], group_[other], scratch);
  }

 private:
  struct Kept {
    HammingScan<Fingerprint128> codes;
    std::vector<uint32_t> members;  // by number in the scan
  };

  [[nodiscard]] const Fingerprint128& code(uint32_t member) const noexcept { return in_.candidates.codes[group_[member]]; }
  [[nodiscard]] bool of_largest(uint32_t member) const noexcept { return !in_largest_.empty() && in_largest_[member] != 0; }

  // A member is added to every scan whose visitors it can match, so a visit reads a single scan and nothing in vain.
  void add_member(uint32_t member) {
    const auto add = [&](Kept& kept) {
      kept.codes.add(code(member));
      kept.members.push_back(member);
    };
    const bool own = any_decided_ && !in_.decided(group_[member]);
    const bool outside = !in_largest_.empty() && in_largest_[member] == 0;
    add(kept_[0]);
    if (outside) add(kept_[1]);
    if (own) add(kept_[2]);
    if (own && outside) add(kept_[3]);
  }

  const GroupInputs& in_;
  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  const uint32_t max_distance_;
  const bool any_decided_;
  uint32_t begin_ = 0;               // of the block
  std::vector<uint8_t> in_largest_;  // by member; empty before restrict_to_cross_set_pairs()
  std::array<Kept, 4> kept_;         // all; outside the largest set (1); open (2); open and outside (3)
};

}  // namespace neardup
