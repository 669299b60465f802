// Removals: which ids were removed, and when; this decides which entries still exist.
//
// Time is the number of removals so far (the clock of the store). Every part is born at a time: all earlier removals were applied when it
// was made. So an entry is removed if its id was removed after that, and an id that is added again exists, because the part with the new
// entry was born later. Copies share the table until one of them changes. Const calls, copying among them, may come from any number of
// threads, and a copy may be used while the original changes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/store_manifest.h"

namespace neardup {

class Removals {
 public:
  Removals() = default;
  explicit Removals(const std::vector<IdRemoval>& list) {
    for (const IdRemoval& removal : list) add(removal.id, removal.time);
  }
  Removals(const Removals& other) : times_(other.times_), latest_(other.latest_), is_shared_(true) { other.is_shared_ = true; }
  Removals& operator=(Removals other) noexcept {
    std::swap(times_, other.times_);
    std::swap(latest_, other.latest_);
    is_shared_ = other.is_shared_.load();
    return *this;
  }
  ~Removals() = default;

  void add(uint64_t id, uint64_t time) {
    own()[id] = time;
    latest_ = std::max(latest_, time);
  }
  [[nodiscard]] bool concern(uint64_t born) const noexcept { return latest_ > born; }
  [[nodiscard]] bool kill(uint64_t id, uint64_t born) const {
    if (!concern(born)) return false;
    const auto found = times_->find(id);
    return found != times_->end() && found->second > born;
  }
  [[nodiscard]] size_t size() const noexcept { return times_->size(); }

  /// Forgets removals that affect no part born at `earliest_born` or later.
  void forget(uint64_t earliest_born) {
    std::erase_if(own(), [&](const auto& removal) { return removal.second <= earliest_born; });
    latest_ = 0;
    for (const auto& [id, time] : *times_) latest_ = std::max(latest_, time);
  }
  /// Ascending by id.
  [[nodiscard]] std::vector<IdRemoval> list() const {
    std::vector<IdRemoval> all;
    all.reserve(times_->size());
    for (const auto& [id, time] : *times_) all.push_back({id, time});
    std::ranges::sort(all, {}, &IdRemoval::id);
    return all;
  }

 private:
  using Times = std::unordered_map<uint64_t, uint64_t>;

  // The table, to change it.
  Times& own() {
    if (is_shared_) times_ = std::make_shared<Times>(*times_);
    is_shared_ = false;
    return *times_;
  }

  std::shared_ptr<Times> times_ = std::make_shared<Times>();
  uint64_t latest_ = 0;
  mutable std::atomic<bool> is_shared_ = false;  // copied since this object owns it alone
};

}  // namespace neardup
