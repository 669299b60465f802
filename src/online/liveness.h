// Liveness: which rows still count: those that are neither deleted nor expired.
//
// Rows do not change. Until a merge leaves a row out, its deletion and a later expiry are remembered here. Changed by one thread while no
// other reads.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "store/table_rows.h"

namespace neardup {

class Liveness {
 public:
  void remove(uint64_t sequence) {
    removed_.insert(sequence);
    later_.erase(sequence);
  }
  void set_expiry(uint64_t sequence, uint64_t expires) { later_[sequence] = expires; }
  /// For a row that no part has any more.
  void forget(uint64_t sequence) {
    removed_.erase(sequence);
    later_.erase(sequence);
  }

  /// For a row that now has this expiry.
  void settle(uint64_t sequence, uint64_t expires) {
    const auto found = later_.find(sequence);
    if (found != later_.end() && found->second == expires) later_.erase(found);
  }

  [[nodiscard]] bool removed(uint64_t sequence) const { return !removed_.empty() && removed_.contains(sequence); }
  /// `expires`: that of the row.
  [[nodiscard]] uint64_t expiry(uint64_t sequence, uint64_t expires) const {
    if (later_.empty()) return expires;
    const auto found = later_.find(sequence);
    return found == later_.end() ? expires : found->second;
  }
  [[nodiscard]] bool alive(uint64_t sequence, uint64_t expires, uint64_t now) const {
    return expiry(sequence, expires) > now && !removed(sequence);
  }
  [[nodiscard]] uint64_t expiry(const RowHead& head) const { return expiry(head.sequence, head.expires); }
  [[nodiscard]] bool alive(const RowHead& head, uint64_t now) const { return alive(head.sequence, head.expires, now); }
  [[nodiscard]] const std::unordered_set<uint64_t>& removed() const noexcept { return removed_; }
  [[nodiscard]] const std::unordered_map<uint64_t, uint64_t>& later() const noexcept { return later_; }

 private:
  std::unordered_set<uint64_t> removed_;
  std::unordered_map<uint64_t, uint64_t> later_;  // expiry by sequence
};

}  // namespace neardup
