#include "server/service/recent_removals.h"

#include <algorithm>
#include <utility>

namespace neardup::server {

void RecentRemovals::add(std::string_view keeper_id, uint64_t keeper_sequence, Removal removal) {
  if (most_ == 0) return;
  const std::lock_guard lock(mutex_);
  const auto [found, added] = keepers_.try_emplace(std::string(keeper_id));
  Known& known = found->second;
  if (added) {
    bytes_ += keeper_id.size();
  } else {
    by_latest_.erase(known.latest);
  }
  known.sequence = keeper_sequence;
  known.latest = next_++;
  by_latest_.emplace(known.latest, &found->first);
  order_.push_back(&found->first);
  bytes_ += bytes_of(removal);
  known.removals.push_back(std::move(removal));
  while (order_.size() > most_ || bytes_ > kMostBytes) forget_oldest();
}

void RecentRemovals::forget_oldest() {
  const auto found = keepers_.find(*order_.front());
  order_.pop_front();
  Known& known = found->second;
  bytes_ -= bytes_of(known.removals.front());
  known.removals.pop_front();
  if (!known.removals.empty()) return;
  bytes_ -= found->first.size();
  by_latest_.erase(known.latest);
  keepers_.erase(found);
}

uint64_t RecentRemovals::size() const {
  const std::lock_guard lock(mutex_);
  return order_.size();
}

std::vector<RemovalCluster> RecentRemovals::clusters(size_t limit, size_t duplicates) const {
  std::vector<RemovalCluster> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [latest, keeper_id] : by_latest_) {
    if (out.size() == limit) break;
    const Known& known = keepers_.at(*keeper_id);
    const size_t shown = std::min(duplicates, known.removals.size());
    out.push_back({.keeper_id = *keeper_id,
                   .sequence = known.sequence,
                   .removed = known.removals.size(),
                   .latest = {known.removals.rbegin(), known.removals.rbegin() + static_cast<std::ptrdiff_t>(shown)}});
  }
  return out;
}

RemovalCluster RecentRemovals::cluster(std::string_view keeper_id) const {
  RemovalCluster out{.keeper_id = std::string(keeper_id)};
  const std::lock_guard lock(mutex_);
  const auto found = keepers_.find(out.keeper_id);
  if (found == keepers_.end()) return out;
  out.sequence = found->second.sequence;
  out.removed = found->second.removals.size();
  out.latest.assign(found->second.removals.rbegin(), found->second.removals.rend());
  return out;
}

}  // namespace neardup::server
