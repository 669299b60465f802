// LargeGroup: one large group, scanned block by block: who may match a member among those before it?
//
// Candidates come from one of three places. Where shared bands make few pairs, as in groups that only hang together by chains, from the
// buckets themselves. Where buckets are large (a million near-equal documents, or many with the same boilerplate) or there are none
// (Search::kExact), from a PrefixIndex of the members that are still in. Where it is not the Jaccard similarity that judges, from a
// CodeSearch of the fingerprints that are still in. In any case all comparable pairs that match are among them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "dedup/match/band_buckets.h"
#include "dedup/match/code_search.h"
#include "dedup/match/groups.h"
#include "dedup/match/union_find.h"
#include "index/lsh/prefix_index.h"

namespace neardup {

class LargeGroup {
 public:
  static constexpr uint32_t kBlock = 256;

  struct Worker {
    Matcher::Scratch scratch;
    std::optional<PrefixIndex::Probe> probe;
    std::vector<uint64_t> features;
    std::vector<uint32_t> candidates;
    uint64_t capped = 0;
  };

  /// A member is a position in `group`, the rank order.
  LargeGroup(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads)
      : matcher_(matcher), group_(group), threads_(threads), workers_(threads) {
    const PairRule& rule = matcher.inputs().rule;
    if (matcher.inputs().judge != Judge::kJaccard) {
      codes_.emplace(matcher, group);
      return;
    }
    if (rule.lsh.bands != 0 && rule.bits == 0) {
      const uint64_t most_pairs = group.size() * matcher.inputs().bucket_pairs_per_member;
      buckets_.emplace(rule.lsh, matcher.inputs().candidates, group, most_pairs, threads);
      if (buckets_->pair_count() <= most_pairs) {
        present_.assign(group.size(), 0);
        return;
      }
      buckets_.reset();
    }
    for (const uint32_t ordinal : group) sizes_.push_back(matcher.inputs().features.size(ordinal));
    uint64_t total = 0;
    for (const uint32_t size : sizes_) total += size;
    frequency_.emplace(total);
    index_.emplace(matcher.inputs().threshold, sizes_);
    prefixes_.resize(kBlock);
    for (Worker& worker : workers_) worker.probe.emplace(group.size());
    parallel_for(threads, group.size(), 64,
                 [&](uint32_t worker, size_t member) { frequency_->add(features(static_cast<uint32_t>(member), workers_[worker])); });
  }

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(group_.size()); }
  [[nodiscard]] uint32_t document(uint32_t member) const noexcept { return matcher_.document(group_[member]); }
  [[nodiscard]] Worker& worker(uint32_t i) noexcept { return workers_[i]; }

  /// Lets the members [begin, end) in; they are the block until leave_block() or the next enter_block(). At most kBlock members.
  void enter_block(uint32_t begin, uint32_t end) {
    if (codes_) {
      codes_->enter_block(begin);
      return;
    }
    begin_ = begin;
    if (buckets_) {
      std::fill(present_.begin() + begin, present_.begin() + end, uint8_t{1});
      return;
    }
    parallel_for(threads_, end - begin, 16, [&](uint32_t worker, size_t i) {
      const auto set = features(begin + static_cast<uint32_t>(i), workers_[worker]);
      frequency_->prefix(set, matcher_.inputs().threshold, prefixes_[i]);
      if (!mixed_.empty()) {
        useful_[i].clear();
        for (const uint64_t feature : prefixes_[i]) useful_[i].push_back(mixed_[frequency_->slot_of(feature)]);
      }
    });
    uint64_t more = 0;
    for (uint32_t i = 0; i < end - begin; ++i) more += prefixes_[i].size();
    index_->reserve(more);
    mark_ = index_->mark();
    for (uint32_t i = begin; i < end; ++i) index_->insert(i, prefixes_[i - begin], useful(i - begin));
  }

  /// Of the block, only members with keep(member) stay in.
  template <typename Keep>
  void leave_block(uint32_t end, const Keep& keep) {
    if (codes_) {
      codes_->leave_block(end, keep);
      return;
    }
    if (!buckets_) index_->roll_back(mark_);
    for (uint32_t member = begin_; member < end; ++member) {
      if (buckets_) {
        present_[member] = keep(member);
      } else if (keep(member)) {
        index_->insert(member, prefixes_[member - begin_], useful(member - begin_));
      }
    }
  }

  /// From now on only pairs of different sets are of interest: features that occur in one set only are left out.
  void look_across(UnionFind& sets) {
    if (codes_) codes_->look_across(sets);
    if (buckets_ || codes_) return;
    std::vector<uint32_t> owner(frequency_->slot_count(), kNoDocument);
    mixed_.assign(frequency_->slot_count(), 0);
    useful_.resize(kBlock);
    for (uint32_t member = 0; member < size(); ++member) {
      const uint32_t root = sets.root(member);
      for (const uint64_t feature : features(member, workers_[0])) {
        const size_t slot = frequency_->slot_of(feature);
        if (owner[slot] == kNoDocument) owner[slot] = root;
        if (owner[slot] != root) mixed_[slot] = 1;
      }
    }
  }

  /// Visits, best first, the members that are in and come before `member` (of the block) and may match it, with
  /// visit(other, features of member), until that returns false or the cap is met. Several members at once, each by its worker.
  template <typename Visit>
  void for_candidates(uint32_t member, Worker& worker, const Visit& visit) {
    std::span<const uint64_t> set;
    const uint64_t cap = matcher_.inputs().max_candidates;
    const uint64_t before = worker.scratch.verifications;
    const auto look_at = [&](uint32_t other) {
      const bool comparable =
          buckets_ ? matcher_.sharing_comparable(group_[member], group_[other]) : matcher_.comparable(group_[member], group_[other]);
      if (!comparable) return true;
      if (cap != 0 && worker.scratch.verifications - before >= cap) {
        ++worker.capped;
        return false;
      }
      if (set.empty() && !codes_) set = features(member, worker);
      return static_cast<bool>(visit(other, set));
    };
    if (codes_) return codes_->visit(member, look_at);
    if (buckets_) {
      buckets_->find(member, present_, worker.candidates);
    } else {
      index_->probe(member, prefixes_[member - begin_], member, *worker.probe, worker.candidates, useful(member - begin_));
    }
    for (const uint32_t other : worker.candidates) {
      if (!look_at(other)) return;
    }
  }

  void add_to(GroupStats& stats) const {
    for (const Worker& worker : workers_) {
      stats.verifications += worker.scratch.verifications;
      stats.capped_documents += worker.capped;
    }
  }

  /// The overlap of `member`, whose features for_candidates() handed over, and `other`, if they match.
  [[nodiscard]] std::optional<Overlap> match(uint32_t member, std::span<const uint64_t> set, uint32_t other, Worker& worker) const {
    if (codes_) return matcher_.match(group_[member], group_[other], worker.scratch);
    return matcher_.match(set, group_[other], worker.scratch);
  }

 private:
  [[nodiscard]] std::span<const uint64_t> features(uint32_t member, Worker& worker) const {
    return matcher_.inputs().features.get(group_[member], worker.features);
  }
  [[nodiscard]] std::span<const uint8_t> useful(uint32_t i) const {
    return mixed_.empty() ? std::span<const uint8_t>{} : std::span<const uint8_t>(useful_[i]);
  }

  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  uint32_t threads_;
  std::vector<Worker> workers_;
  uint32_t begin_ = 0;  // of the block

  std::optional<CodeSearch> codes_;

  std::optional<BandBuckets> buckets_;
  std::vector<uint8_t> present_;

  std::vector<uint32_t> sizes_;
  std::optional<FeatureFrequency> frequency_;
  std::optional<PrefixIndex> index_;
  size_t mark_ = 0;                              // in the index, before the block
  std::vector<std::vector<uint64_t>> prefixes_;  // of the block
  std::vector<uint8_t> mixed_;                   // by frequency slot; empty before look_across()
  std::vector<std::vector<uint8_t>> useful_;     // of the block, by prefix position
};

}  // namespace neardup
