// EarlyGroups: solves small groups while the features of candidates are still coming in: each as soon as all its members have theirs,
// which are freed afterwards. So memory holds the features of the groups that are open, not of all, and deciding overlaps with reading.
//
// The features come in order, from one thread; what is complete is solved by any of the workers between two batches. Left for the end:
// large groups, and those of which a member's features are on disk. The answer is that of solve_groups(), whatever the timing.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "dedup/corpus/feature_store.h"
#include "dedup/match/solve_groups.h"

namespace neardup {

class EarlyGroups {
 public:
  /// Takes the candidates, the number of threads and so on from `in`; `features` and `weights` are its stores, still empty. `small_group`:
  /// as solve_groups() has it. What `in` refers to must outlive this.
  EarlyGroups(const GroupInputs& in, Cluster cluster, FeatureStore& features, FeatureStore& weights, uint32_t small_group = kSmallGroup);

  /// The features (and weights) of the candidates with ordinals below `end` are in their stores. From one thread, `end` ascending.
  void arrived(uint32_t end);
  /// Solves groups that are complete, until there are none. From several threads, one for each worker; `worker` is below in.threads.
  /// Throws Error{kStopped}; then groups may be half solved, and this may only be destroyed.
  void solve_complete(uint32_t worker);
  /// When all features are there: solves what is left, with in.threads threads, and returns all removals, by document. Progress covers all
  /// groups. Once.
  std::vector<Removal> solve_rest(PassProgress* progress, GroupStats& stats);

 private:
  static constexpr uint32_t kTooLarge = std::numeric_limits<uint32_t>::max();

  [[nodiscard]] bool in_memory(std::span<const uint32_t> group) const noexcept;
  void solve(uint32_t worker, uint32_t group);

  GroupInputs in_;
  GroupSolver solver_;
  FeatureStore& features_;
  FeatureStore& weights_;
  std::vector<uint32_t> group_of_;  // by ordinal
  std::vector<uint32_t> missing_;   // by group: members without features, or kTooLarge
  uint32_t arrived_ = 0;
  std::vector<uint32_t> left_;           // complete small groups with features on disk
  std::atomic<uint64_t> solved_{0};      // members of solved groups, for progress
  std::atomic<uint64_t> duplicates_{0};  // among them
  std::mutex mutex_;
  std::vector<uint32_t> complete_;  // guarded by mutex_
};

}  // namespace neardup
