#include "dedup/match/early_groups.h"

#include <algorithm>

#include "base/parallel.h"
#include "neardup/stop.h"

namespace neardup {

EarlyGroups::EarlyGroups(const GroupInputs& in, Cluster cluster, FeatureStore& features, FeatureStore& weights, uint32_t small_group)
    : in_(in),
      solver_(in_, cluster),
      features_(features),
      weights_(weights),
      group_of_(in.candidates.documents.size()),
      missing_(in.candidates.group_count()) {
  const auto count = static_cast<uint32_t>(group_of_.size());
  features_.expect(count);
  if (in.strategy.weighted()) weights_.expect(count);
  for (uint32_t g = 0; g < missing_.size(); ++g) {
    const std::span<const uint32_t> group = in.candidates.group(g);
    for (const uint32_t ordinal : group) group_of_[ordinal] = g;
    missing_[g] = group.size() <= small_group ? static_cast<uint32_t>(group.size()) : kTooLarge;
  }
}

bool EarlyGroups::in_memory(std::span<const uint32_t> group) const noexcept {
  const bool weighted = in_.strategy.weighted();
  return std::ranges::all_of(group,
                             [&](uint32_t ordinal) { return features_.in_memory(ordinal) && (!weighted || weights_.in_memory(ordinal)); });
}

void EarlyGroups::arrived(uint32_t end) {
  std::vector<uint32_t> complete;
  for (; arrived_ < end; ++arrived_) {
    const uint32_t group = group_of_[arrived_];
    if (missing_[group] == kTooLarge || --missing_[group] > 0) continue;
    (in_memory(in_.candidates.group(group)) ? complete : left_).push_back(group);
  }
  if (complete.empty()) return;
  const std::lock_guard lock(mutex_);
  complete_.insert(complete_.end(), complete.begin(), complete.end());
}

void EarlyGroups::solve_complete(uint32_t worker) {
  constexpr size_t kAtOnce = 16;  // others get some of them, too
  std::vector<uint32_t> taken;
  for (;;) {
    taken.clear();
    {
      const std::lock_guard lock(mutex_);
      const size_t count = std::min(kAtOnce, complete_.size());
      taken.assign(complete_.end() - static_cast<ptrdiff_t>(count), complete_.end());
      complete_.resize(complete_.size() - count);
    }
    if (taken.empty()) return;
    check_stop();
    for (const uint32_t group : taken) solve(worker, group);
  }
}

void EarlyGroups::solve(uint32_t worker, uint32_t group) {
  const std::span<const uint32_t> members = in_.candidates.group(group);
  const uint64_t duplicates = solver_.small(worker, members);
  for (const uint32_t ordinal : members) {
    features_.forget(ordinal);
    if (in_.strategy.weighted()) weights_.forget(ordinal);
  }
  solved_.fetch_add(members.size(), std::memory_order_relaxed);
  duplicates_.fetch_add(duplicates, std::memory_order_relaxed);
}

std::vector<Removal> EarlyGroups::solve_rest(PassProgress* progress, GroupStats& stats) {
  in_.progress = progress;
  in_.done(solved_, duplicates_);
  left_.insert(left_.end(), complete_.begin(), complete_.end());
  std::ranges::sort(left_);  // groups are in the order of their documents, and so is what is on disk
  parallel_for(in_.threads, left_.size(), 64, [&](uint32_t worker, size_t i) {
    const std::span<const uint32_t> group = in_.candidates.group(left_[i]);
    in_.done(group.size(), solver_.small(worker, group));
  });
  for (uint32_t g = 0; g < missing_.size(); ++g) {
    if (missing_[g] == kTooLarge) solver_.large(in_.candidates.group(g));
  }
  return solver_.finish(stats);
}

}  // namespace neardup
