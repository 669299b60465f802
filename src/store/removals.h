// Removals: which ids were removed, and when; that decides which entries are still there.
//
// Time is the number of removals so far (the clock of the store). Whatever holds entries is born at a time: all removals up to it were done
// when it was made. So an entry is gone if its id was removed after that, and an id that is added again is there, because what holds the
// new entry was born later. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "store/hamming_folder.h"

namespace neardup {

class Removals {
 public:
  Removals() = default;
  explicit Removals(const std::vector<Removal>& list) {
    for (const Removal& removal : list) add(removal.id, removal.time);
  }

  void add(uint64_t id, uint64_t time) {
    times_[id] = time;
    latest_ = std::max(latest_, time);
  }
  [[nodiscard]] bool concern(uint64_t born) const noexcept { return latest_ > born; }
  [[nodiscard]] bool kill(uint64_t id, uint64_t born) const {
    if (!concern(born)) return false;
    const auto found = times_.find(id);
    return found != times_.end() && found->second > born;
  }
  [[nodiscard]] size_t size() const noexcept { return times_.size(); }

  /// Forgets those that concern nothing that was born at `least_born` or later.
  void forget(uint64_t least_born) {
    std::erase_if(times_, [&](const auto& removal) { return removal.second <= least_born; });
    latest_ = 0;
    for (const auto& [id, time] : times_) latest_ = std::max(latest_, time);
  }
  /// Ascending by id.
  [[nodiscard]] std::vector<Removal> list() const {
    std::vector<Removal> all;
    all.reserve(times_.size());
    for (const auto& [id, time] : times_) all.push_back({id, time});
    std::ranges::sort(all, {}, &Removal::id);
    return all;
  }

 private:
  std::unordered_map<uint64_t, uint64_t> times_;
  uint64_t latest_ = 0;
};

}  // namespace neardup
