// RecentRemovals: the documents that were removed last, and because of which keeper. Removed documents are not stored; people want to see
// some of them.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/document.h"

namespace neardup::server {

struct Removal {
  std::string id;
  Reason reason = Reason::kNearDuplicate;
  double similarity = 0;
  uint64_t time_ms = 0;  ///< since 1970
};

struct RemovalCluster {
  std::string keeper_id;
  uint64_t sequence = 0;  ///< of the keeper
  uint64_t removed = 0;
  std::vector<Removal> latest = {};  ///< the latest first
};

class RecentRemovals {
 public:
  /// Remembers the last `most`, or fewer if their ids take more than 64 MiB.
  explicit RecentRemovals(uint64_t most) : most_(most) {}

  void add(std::string_view keeper_id, uint64_t keeper_sequence, Removal removal);
  [[nodiscard]] uint64_t size() const;
  /// The clusters of the latest removals first, each with at most `duplicates`.
  [[nodiscard]] std::vector<RemovalCluster> clusters(size_t limit, size_t duplicates) const;
  /// The cluster of a keeper, with everything that is remembered.
  [[nodiscard]] RemovalCluster cluster(std::string_view keeper_id) const;

 private:
  static constexpr uint64_t kMostBytes = uint64_t{64} << 20;
  static uint64_t bytes_of(const Removal& removal) { return removal.id.size() + sizeof(Removal) + 64; }
  struct Known {
    uint64_t sequence = 0;
    uint64_t latest = 0;  // ordinal of its latest removal
    std::deque<Removal> removals;
  };
  void forget_oldest();

  const uint64_t most_;
  mutable std::mutex mutex_;
  uint64_t next_ = 0;                                                 // ordinal of the next removal
  uint64_t bytes_ = 0;                                                // of the removals
  std::unordered_map<std::string, Known> keepers_;                    // by id
  std::deque<const std::string*> order_;                              // of each removal, the oldest first: the key of its keeper
  std::map<uint64_t, const std::string*, std::greater<>> by_latest_;  // keepers by Known::latest
};

}  // namespace neardup::server
