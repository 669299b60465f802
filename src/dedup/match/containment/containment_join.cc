#include "dedup/match/containment/containment_join.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "dedup/match/block_search.h"
#include "index/prefix/containment_index.h"
#include "index/prefix/feature_counts.h"
#include "index/prefix/feature_lookup.h"

namespace neardup {
namespace {

// The documents of the group in scan order: "position" is a place in it.
std::vector<uint32_t> scan_order(const GroupInputs& in) {
  std::vector<uint32_t> order = in.candidates.members;  // in rank order
  if (!in.strategy.largest_first) return order;
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
    if (in.decided(a) != in.decided(b)) return in.decided(a);
    if (in.is_protected(a) != in.is_protected(b)) return in.is_protected(a);
    return in.features.size(a) > in.features.size(b);
  });
  return order;
}

// A document that a container contains, or has just too little of.
struct Contained {
  uint32_t position;
  uint32_t common;
  bool just_below = false;
};

// The rule of what is just below the threshold, or above it.
ContainmentRule just_below(ContainmentRule rule) {
  if (rule.threshold.millionths() > kJustBelow) rule.threshold = Threshold::from_millionths(rule.threshold.millionths() - kJustBelow);
  return rule;
}

// The index of one slice of the order, and what each worker needs to probe it.
class ContainmentSlices {
 public:
  ContainmentSlices(const GroupInputs& in, std::vector<uint32_t> order)
      : in_(in),
        rule_(in.strategy.containment),
        below_(just_below(rule_)),
        sample_(in.strategy.containment_sample),
        order_(std::move(order)),
        counts_(in.features.total_features()),
        workers_(in.threads) {
    parallel_for(in_.threads, order_.size(), 64, [&](uint32_t worker, size_t position) {
      in_.done(0);
      counts_.add(in_.features.get(order_[position], workers_[worker].set));
    });
  }

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(order_.size()); }
  [[nodiscard]] uint32_t ordinal(uint32_t position) const noexcept { return order_[position]; }
  [[nodiscard]] uint32_t features(uint32_t position) const noexcept { return in_.features.size(order_[position]); }
  [[nodiscard]] uint32_t begin() const noexcept { return begin_; }
  [[nodiscard]] uint32_t end() const noexcept { return end_; }

  // Indexes the next slice, which ends where a block ends: so the blocks do not depend on the memory. False at the end.
  bool next() {
    if (end_ == size()) return false;
    index_.reset();
    begin_ = end_;
    uint64_t bytes = 0;
    while (end_ < size()) {
      const uint32_t block_end = std::min(size(), end_ + kBlock);
      uint64_t more = 0;
      for (uint32_t position = end_; position < block_end; ++position)
        more += ContainmentIndex::bytes_of(rule_, sample_, features(position), in_.threads);
      if (in_.index_memory != 0 && bytes + more > in_.index_memory && end_ > begin_) break;
      bytes += more;
      end_ = block_end;
    }
    std::vector<uint32_t> sizes(end_ - begin_, 0);
    for (uint32_t position = begin_; position < end_; ++position) {
      if (!in_.decided(order_[position])) sizes[position - begin_] = features(position);
    }
    index_.emplace(rule_, sample_, sizes, counts_, in_.threads, [&](uint32_t worker, uint32_t member) {
      in_.done(0);
      return in_.features.get(order_[begin_ + member], workers_[worker].set);
    });
    return true;
  }

  // Calls visit(contained) for the documents of the slice at [from, to) that the container contains, ascending; and for those candidates
  // that are just below the threshold.
  template <typename Visit>
  void find(uint32_t container, uint32_t from, uint32_t to, uint32_t worker, const Visit& visit) {
    from = std::max(from, begin_);
    to = std::min(to, end_);
    if (from >= to) return;
    Worker& own = workers_[worker];
    const auto set = in_.features.get(order_[container], own.set);
    index_->probe(set, from - begin_, to - begin_, own.probe, own.found);
    own.lookup.assign(set);
    for (const uint32_t member : own.found) {
      const uint32_t position = begin_ + member;
      if (position == container || !rule_.possible(features(position), static_cast<uint32_t>(set.size()))) continue;
      ++own.verifications;
      const uint64_t required = rule_.required(features(position), static_cast<uint32_t>(set.size()));
      const uint64_t nearly = below_.required(features(position), static_cast<uint32_t>(set.size()));
      const uint32_t common = own.lookup.count_common_at_least(in_.features.get(order_[position], own.other), nearly);
      if (common >= nearly) visit(Contained{position, common, common < required});
    }
  }

  void forget(uint32_t position) noexcept {
    if (position >= begin_ && position < end_) index_->forget(position - begin_);
  }
  void compact() { index_->compact(); }

  [[nodiscard]] uint64_t verifications() const noexcept {
    return std::accumulate(workers_.begin(), workers_.end(), uint64_t{0},
                           [](uint64_t sum, const Worker& worker) { return sum + worker.verifications; });
  }

 private:
  struct Worker {
    std::vector<uint64_t> set;    // of the container
    std::vector<uint64_t> other;  // of what it may contain
    FeatureLookup lookup;
    ContainmentIndex::Probe probe;
    std::vector<uint32_t> found;
    uint64_t verifications = 0;
  };

  const GroupInputs& in_;
  const ContainmentRule& rule_;
  const ContainmentRule below_;
  const ContainmentSample& sample_;
  const std::vector<uint32_t> order_;
  FeatureCounts counts_;
  std::vector<Worker> workers_;
  std::optional<ContainmentIndex> index_;
  uint32_t begin_ = 0;  // of the slice
  uint32_t end_ = 0;
};

// The scan rule over one slice after the other. A block of containers first decides its own members, then removes what it contains later:
// so the containers that are not kept, such as near-equal versions of one, do not search the rest of the corpus.
class ContainmentScan {
 public:
  ContainmentScan(const GroupInputs& in, ContainmentSlices& slices)
      : in_(in),
        slices_(slices),
        removed_(slices.size(), 0),
        just_below_(slices.size(), 0),
        inside_(kBlock),
        first_(slices.size(), kNoContainer),
        touched_(in.threads) {}

  std::vector<Removal> run(GroupStats& stats) {
    while (slices_.next()) {
      for (uint32_t begin = 0; begin < slices_.end(); begin += kBlock) {
        const uint32_t end = std::min(begin + kBlock, slices_.end());
        const bool open = begin >= slices_.begin();
        if (open) decide_block(begin, end);
        remove_later(begin, end);
        slices_.compact();
        in_.done(open ? end - begin : 0, std::exchange(duplicates_, 0));
      }
    }
    for (uint32_t position = 0; position < slices_.size(); ++position) {
      if (just_below_[position] != 0 && removed_[position] == 0 && is_kept(position) && !in_.decided(slices_.ordinal(position)))
        ++stats.just_below;
    }
    return std::move(removals_);
  }

 private:
  static constexpr uint64_t kNoContainer = ~uint64_t{0};

  // A copy of a reference document is never kept.
  [[nodiscard]] bool is_kept(uint32_t position) const { return !is_removed(position) && !in_.copied_reference(slices_.ordinal(position)); }
  [[nodiscard]] bool is_removed(uint32_t position) const { return removed_[position] != 0 && !in_.is_protected(slices_.ordinal(position)); }

  void remove(uint32_t position, uint32_t container, uint32_t common) {
    removed_[position] = 1;
    slices_.forget(position);
    const uint32_t document = slices_.ordinal(position);
    removals_.push_back({in_.document(document), in_.document(slices_.ordinal(container)),
                         Overlap{common, slices_.features(position), slices_.features(container)}});
    if (!in_.copied_reference(document) && !in_.is_protected(document)) ++duplicates_;
  }

  void decide_block(uint32_t begin, uint32_t end) {
    parallel_for(in_.threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      in_.done(0);
      const uint32_t container = begin + static_cast<uint32_t>(i);
      inside_[i].clear();
      if (is_removed(container)) return;
      slices_.find(container, container + 1, end, worker, [&](const Contained& contained) { inside_[i].push_back(contained); });
    });
    for (uint32_t container = begin; container < end; ++container) {
      if (!is_kept(container)) continue;
      for (const Contained& contained : inside_[container - begin]) {
        if (contained.just_below) {
          just_below_[contained.position] = 1;
        } else if (removed_[contained.position] == 0) {
          remove(contained.position, container, contained.common);
        }
      }
    }
  }

  // The first container of each document is the smallest of a block, whichever worker finds it first.
  void remove_later(uint32_t begin, uint32_t end) {
    if (end >= slices_.end()) return;
    parallel_for(in_.threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      in_.done(0);
      const uint32_t container = begin + static_cast<uint32_t>(i);
      if (!is_kept(container)) return;
      slices_.find(container, end, slices_.end(), worker, [&](const Contained& contained) {
        if (contained.just_below) {
          std::atomic_ref<uint8_t>(just_below_[contained.position]).store(1, std::memory_order_relaxed);
          return;
        }
        const uint64_t mine = uint64_t{container} << 32 | contained.common;
        std::atomic_ref<uint64_t> first(first_[contained.position]);
        uint64_t known = first.load(std::memory_order_relaxed);
        if (known == kNoContainer) touched_[worker].push_back(contained.position);
        while (mine < known && !first.compare_exchange_weak(known, mine, std::memory_order_relaxed)) {
        }
      });
    });
    for (std::vector<uint32_t>& touched : touched_) {
      for (const uint32_t position : touched) {
        const uint64_t first = std::exchange(first_[position], kNoContainer);
        // Two workers may have touched it.
        if (first != kNoContainer) remove(position, static_cast<uint32_t>(first >> 32), static_cast<uint32_t>(first));
      }
      touched.clear();
    }
  }

  const GroupInputs& in_;
  ContainmentSlices& slices_;
  std::vector<uint8_t> removed_;                // by position; of a protected document: one contains it
  std::vector<uint8_t> just_below_;             // by position: a kept document has nearly enough of it
  std::vector<std::vector<Contained>> inside_;  // by position in the block: those of the same block
  std::vector<uint64_t> first_;                 // by position: the best container of a block, and the common features
  std::vector<std::vector<uint32_t>> touched_;  // by worker
  std::vector<Removal> removals_;
  uint64_t duplicates_ = 0;
};

}  // namespace

std::vector<Removal> solve_contained(const GroupInputs& in, GroupStats& stats) {
  if (in.candidates.members.empty()) return {};
  ContainmentSlices slices(in, scan_order(in));
  std::vector<Removal> removals = ContainmentScan(in, slices).run(stats);
  stats.verifications += slices.verifications();
  sort_by_document(removals);
  return removals;
}

void join_contained(const GroupInputs& in, const EmitPair& emit, GroupStats& stats) {
  if (in.candidates.members.empty()) return;
  ContainmentSlices slices(in, in.candidates.members);
  while (slices.next()) {
    parallel_for(in.threads, slices.size(), 16, [&](uint32_t worker, size_t i) {
      in.done(0);
      const auto container = static_cast<uint32_t>(i);
      slices.find(container, slices.begin(), slices.end(), worker, [&](const Contained& contained) {
        if (contained.just_below) return;
        emit(worker, in.document(slices.ordinal(contained.position)), in.document(slices.ordinal(container)),
             Overlap{contained.common, slices.features(contained.position), slices.features(container)});
      });
    });
    in.done(slices.end() - slices.begin());
  }
  stats.verifications += slices.verifications();
}

}  // namespace neardup
