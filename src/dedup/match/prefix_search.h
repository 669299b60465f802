// PrefixSearch: a BlockSearch by a PrefixIndex of the features of the members that are in.
//
// For groups that nothing else divides: millions of near-equal documents, shared boilerplate, all documents of an exact search. Features
// are ordered by their frequency in the whole group, which needs a pass over its features first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/block_search.h"
#include "dedup/match/group_inputs.h"
#include "index/prefix/prefix_index.h"

namespace neardup {

class PrefixSearch {
 public:
  /// Requires Judge::kJaccard.
  PrefixSearch(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group);

  void enter(uint32_t begin, uint32_t end);
  // Removes the whole block, then adds the kept members again: every later member would read the postings of the others.
  template <typename Keep>
  void leave(uint32_t end, const Keep& keep) {
    index_.roll_back(mark_);
    for (uint32_t member = begin_; member < end; ++member) {
      if (keep(member)) insert(member);
    }
  }
  void restrict_to_cross_set_pairs(UnionFind& sets);

  template <typename Visit>
  void visit(uint32_t member, uint32_t worker, const Visit& visit) {
    Worker& own = workers_[worker];
    index_.probe(member, prefixes_[member - begin_], member, own.probe, own.found, useful(member));
    for (const uint32_t other : own.found) {
      if (!visit(other)) return;
    }
  }

  [[nodiscard]] bool comparable(uint32_t member, uint32_t other) const noexcept {
    return matcher_.comparable(group_[member], group_[other]);
  }
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, uint32_t other, uint32_t worker, Matcher::Scratch& scratch) {
    return matcher_.match(features_.read(member, worker), group_[other], scratch);
  }

 private:
  struct Worker {
    PrefixIndex::Probe probe;
    std::vector<uint32_t> found;
  };

  void insert(uint32_t member) { index_.insert(member, prefixes_[member - begin_], useful(member)); }
  // Of a member of the block.
  [[nodiscard]] std::span<const uint8_t> useful(uint32_t member) const {
    return mixed_.empty() ? std::span<const uint8_t>{} : std::span<const uint8_t>(useful_[member - begin_]);
  }

  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  const uint32_t threads_;
  const Threshold threshold_;
  MemberFeatures features_;
  std::vector<Worker> workers_;
  const std::vector<uint32_t> sizes_;  // by member
  FeatureFrequency frequency_;
  PrefixIndex index_;
  uint32_t begin_ = 0;                           // of the block
  size_t mark_ = 0;                              // in the index, before the block
  std::vector<std::vector<uint64_t>> prefixes_;  // of the block
  std::vector<uint8_t> mixed_;                   // by frequency slot; empty before restrict_to_cross_set_pairs()
  std::vector<std::vector<uint8_t>> useful_;     // of the block, by prefix position
};

}  // namespace neardup
