// Large groups through a PrefixIndex, block by block: the members of a block are probed in parallel against what the blocks before
// have left in the index, and against each other; then the block is decided in rank order by one thread.
#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "dedup/groups.h"
#include "dedup/union_find.h"
#include "index/prefix_index.h"

namespace neardup {
namespace {

constexpr uint32_t kBlock = 256;

// The group with its index. A member is a position in the group: the rank order.
class LargeGroup {
 public:
  struct Worker {
    explicit Worker(size_t members) : probe(members) {}
    PrefixIndex::Probe probe;
    Matcher::Scratch scratch;
    std::vector<uint64_t> features;
    std::vector<uint32_t> candidates;
    uint64_t capped = 0;
  };

  LargeGroup(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads)
      : matcher_(matcher),
        group_(group),
        threads_(threads),
        sizes_(sizes(matcher, group)),
        frequency_(total(sizes_)),
        index_(matcher.inputs().threshold, sizes_),
        prefixes_(kBlock) {
    for (uint32_t i = 0; i < threads; ++i) workers_.emplace_back(group.size());
    parallel_for(threads, group.size(), 64,
                 [&](uint32_t worker, size_t member) { frequency_.add(features(static_cast<uint32_t>(member), workers_[worker])); });
  }

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(group_.size()); }
  [[nodiscard]] uint32_t document(uint32_t member) const noexcept { return matcher_.document(group_[member]); }
  [[nodiscard]] bool reference(uint32_t member) const noexcept { return matcher_.reference(group_[member]); }
  [[nodiscard]] std::span<const uint32_t> group() const noexcept { return group_; }
  [[nodiscard]] const Matcher& matcher() const noexcept { return matcher_; }
  [[nodiscard]] Worker& worker(uint32_t i) noexcept { return workers_[i]; }
  PrefixIndex& index() noexcept { return index_; }

  /// Puts the members [begin, end) into the index and keeps their prefixes for probing. Returns the mark before them.
  size_t enter_block(uint32_t begin, uint32_t end) {
    parallel_for(threads_, end - begin, 16, [&](uint32_t worker, size_t i) {
      const auto set = features(begin + static_cast<uint32_t>(i), workers_[worker]);
      frequency_.prefix(set, matcher_.inputs().threshold, prefixes_[i]);
      if (!mixed_.empty()) {
        useful_[i].clear();
        for (const uint64_t feature : prefixes_[i]) useful_[i].push_back(mixed_[frequency_.slot_of(feature)]);
      }
    });
    uint64_t more = 0;
    for (uint32_t i = 0; i < end - begin; ++i) more += prefixes_[i].size();
    index_.reserve(more);
    const size_t mark = index_.mark();
    for (uint32_t i = begin; i < end; ++i) index_.insert(i, prefixes_[i - begin], useful(i - begin));
    return mark;
  }
  [[nodiscard]] const std::vector<uint64_t>& prefix(uint32_t begin, uint32_t member) const { return prefixes_[member - begin]; }

  /// From now on only pairs of different sets are of interest: features that occur in one set only are left out.
  void look_across(UnionFind& sets) {
    constexpr uint32_t kNobody = kNoDocument;
    std::vector<uint32_t> owner(frequency_.slot_count(), kNobody);
    mixed_.assign(frequency_.slot_count(), 0);
    useful_.resize(kBlock);
    for (uint32_t member = 0; member < size(); ++member) {
      const uint32_t root = sets.root(member);
      for (const uint64_t feature : features(member, workers_[0])) {
        const size_t slot = frequency_.slot_of(feature);
        if (owner[slot] == kNobody) owner[slot] = root;
        if (owner[slot] != root) mixed_[slot] = 1;
      }
    }
  }

  /// Visits, best first, the members below `member` that may match it, with visit(other, features of member), until that returns
  /// false or the cap is met.
  template <typename Visit>
  void for_candidates(uint32_t begin, uint32_t member, Worker& worker, const Visit& visit) {
    index_.probe(member, prefix(begin, member), member, worker.probe, worker.candidates, useful(member - begin));
    if (worker.candidates.empty()) return;
    const auto set = features(member, worker);
    const uint64_t cap = matcher_.inputs().max_candidates;
    const uint64_t before = worker.scratch.verifications;
    for (const uint32_t other : worker.candidates) {
      if (!matcher_.comparable(group_[member], group_[other])) continue;
      if (cap != 0 && worker.scratch.verifications - before >= cap) {
        ++worker.capped;
        return;
      }
      if (!visit(other, set)) return;
    }
  }

  void add_to(GroupStats& stats) const {
    for (const Worker& worker : workers_) {
      stats.verifications += worker.scratch.verifications;
      stats.capped_documents += worker.capped;
    }
  }

  [[nodiscard]] std::span<const uint64_t> features(uint32_t member, Worker& worker) const {
    return matcher_.inputs().features.get(group_[member], worker.features);
  }

 private:
  static std::vector<uint32_t> sizes(const Matcher& matcher, std::span<const uint32_t> group) {
    std::vector<uint32_t> sizes;
    for (const uint32_t ordinal : group) sizes.push_back(matcher.inputs().features.size(ordinal));
    return sizes;
  }
  [[nodiscard]] std::span<const uint8_t> useful(uint32_t i) const {
    return mixed_.empty() ? std::span<const uint8_t>{} : std::span<const uint8_t>(useful_[i]);
  }
  static uint64_t total(const std::vector<uint32_t>& sizes) {
    uint64_t sum = 0;
    for (const uint32_t size : sizes) sum += size;
    return sum;
  }

  const Matcher& matcher_;
  std::span<const uint32_t> group_;
  uint32_t threads_;
  std::vector<uint32_t> sizes_;
  FeatureFrequency frequency_;
  PrefixIndex index_;
  std::vector<std::vector<uint64_t>> prefixes_;  // of the block at hand
  std::vector<uint8_t> mixed_;                   // by frequency slot; empty before look_across()
  std::vector<std::vector<uint8_t>> useful_;     // by prefix position, for the block at hand
  std::vector<Worker> workers_;
};

struct Found {
  uint32_t member;
  Overlap overlap;
};

}  // namespace

std::vector<Removal> scan_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats) {
  LargeGroup large(matcher, group, threads);
  std::vector<Removal> removals;
  // For each member of a block: its match in an earlier block (then it is the only one), else all matches in this block.
  std::vector<std::vector<Found>> found(kBlock);
  std::vector<bool> removed(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    const size_t mark = large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      found[i].clear();
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.for_candidates(begin, member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = matcher.match(set, group[other], large.worker(worker).scratch)) {
          found[i].push_back({other, *overlap});
          return other >= begin;  // a match in an earlier block decides
        }
        return true;
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      removed[i] = false;
      for (const Found& match : found[i]) {
        if (match.member >= begin && removed[match.member - begin]) continue;
        removals.push_back({large.document(begin + i), large.document(match.member), match.overlap});
        removed[i] = true;
        break;
      }
    }
    // Only what was kept stays in the index.
    large.index().roll_back(mark);
    for (uint32_t i = 0; i < end - begin; ++i) {
      if (!removed[i]) large.index().insert(begin + i, large.prefix(begin, begin + i));
    }
  }
  large.add_to(stats);
  return removals;
}

void join_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, const EmitPair& emit, GroupStats& stats) {
  LargeGroup large(matcher, group, threads);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      const uint32_t member = begin + static_cast<uint32_t>(i);
      large.for_candidates(begin, member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (const auto overlap = matcher.match(set, group[other], large.worker(worker).scratch)) {
          emit(worker, large.document(other), large.document(member), *overlap);
        }
        return true;
      });
    });
  }
  large.add_to(stats);
}

std::vector<Removal> connect_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats) {
  // The scan first: it joins everything near-equal at little cost. Then only pairs that are still apart need a look.
  std::vector<uint32_t> member_of(matcher.inputs().candidates.documents.size());
  for (uint32_t member = 0; member < group.size(); ++member) member_of[group[member]] = member;
  const auto member_of_document = [&](uint32_t document) {
    const auto& documents = matcher.inputs().candidates.documents;
    return member_of[static_cast<size_t>(std::lower_bound(documents.begin(), documents.end(), document) - documents.begin())];
  };
  UnionFind sets(static_cast<uint32_t>(group.size()));
  for (const Removal& removal : scan_large_group(matcher, group, threads, stats)) {
    sets.unite(member_of_document(removal.document), member_of_document(removal.keeper));
  }
  LargeGroup large(matcher, group, threads);
  large.look_across(sets);
  // Sets are joined between blocks only, so that which pairs are skipped does not depend on threads.
  std::vector<std::vector<uint32_t>> found(kBlock);
  for (uint32_t begin = 0; begin < large.size(); begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, large.size());
    large.enter_block(begin, end);
    parallel_for(threads, end - begin, 4, [&](uint32_t worker, size_t i) {
      const uint32_t member = begin + static_cast<uint32_t>(i);
      found[i].clear();
      large.for_candidates(begin, member, large.worker(worker), [&](uint32_t other, std::span<const uint64_t> set) {
        if (sets.root(member) != sets.root(other) && matcher.match(set, group[other], large.worker(worker).scratch))
          found[i].push_back(other);
        return true;
      });
    });
    for (uint32_t i = 0; i < end - begin; ++i) {
      for (const uint32_t other : found[i]) sets.unite(begin + i, other);
    }
  }
  large.add_to(stats);
  std::vector<Removal> removals;
  Matcher::Scratch scratch;
  remove_by_component(matcher, group, sets, scratch, removals);
  return removals;
}

}  // namespace neardup
