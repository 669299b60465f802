// expect_equal_solvers(): the solvers of small and of large groups decide alike, and so does the one that solves groups while features come
// in.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "dedup/match/early_groups.h"
#include "dedup/match/solve_groups.h"
#include "support/candidate_run.h"

namespace neardup::testing {

struct EarlySolution {
  std::vector<Removal> removals;
  GroupStats stats;
  uint32_t forgotten = 0;  ///< candidates whose features were freed before the end
  uint64_t spilled_bytes = 0;
};

/// `inputs` with the features of other stores, which are filled later, for `threads` threads.
inline GroupInputs with_stores(const GroupInputs& inputs, const FeatureStore& features, const FeatureStore& weights, uint32_t threads) {
  GroupInputs late{{.table = inputs.table,
                    .candidates = inputs.candidates,
                    .features = features,
                    .weights = weights,
                    .strategy = inputs.strategy,
                    .threshold = inputs.threshold}};
  late.copy_of = inputs.copy_of;
  late.max_candidates = inputs.max_candidates;
  late.threads = threads;
  return late;
}

/// What EarlyGroups says when the features of `inputs` come in small batches into stores with `memory` bytes each, while two workers solve.
inline EarlySolution solve_early(const GroupInputs& inputs, Cluster cluster, uint64_t memory, uint32_t small_group) {
  FeatureStore features(memory, "");
  FeatureStore weights(memory, "");
  const GroupInputs late = with_stores(inputs, features, weights, 2);
  EarlyGroups early(late, cluster, features, weights, small_group);
  std::atomic<bool> all_in = false;
  {
    std::vector<std::jthread> workers;
    for (uint32_t worker = 0; worker < late.threads; ++worker) {
      workers.emplace_back([&, worker] {
        while (!all_in) early.solve_complete(worker);
        early.solve_complete(worker);
      });
    }
    std::vector<uint64_t> space;
    const auto count = static_cast<uint32_t>(inputs.candidates.documents.size());
    uint64_t round = 0;
    for (uint32_t next = 0; next < count; ++round) {
      FeatureSets feature_sets;
      FeatureSets weight_sets;
      for (uint64_t batch = splitmix64(memory, round) % 5; batch > 0 && next < count; --batch, ++next) {
        feature_sets.add(inputs.features.get(next, space));
        if (inputs.strategy.weighted()) weight_sets.add(inputs.weights.get(next, space));
      }
      features.append(feature_sets);
      if (inputs.strategy.weighted()) weights.append(weight_sets);
      early.arrived(features.count());
    }
    all_in = true;
  }
  features.finish();
  weights.finish();
  EarlySolution solution;
  for (uint32_t ordinal = 0; ordinal < features.count(); ++ordinal) {
    const bool forgotten = features.size(ordinal) != 0 && !features.in_memory(ordinal);
    solution.forgotten += static_cast<uint32_t>(forgotten);
  }
  solution.spilled_bytes = features.spilled_bytes();
  // Sets that are not in memory were freed, or else spilled: either store may have found room just before the other one.
  const bool none_spilled = features.spilled_bytes() == 0 && weights.spilled_bytes() == 0;
  for (uint32_t ordinal = 0; none_spilled && inputs.strategy.weighted() && ordinal < features.count(); ++ordinal) {
    EXPECT_EQ(features.in_memory(ordinal), weights.in_memory(ordinal));
  }
  solution.removals = early.solve_rest(nullptr, solution.stats);
  return solution;
}

inline void expect_equal_removals(const std::vector<Removal>& expected, const std::vector<Removal>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].document, got[i].document);
    EXPECT_EQ(expected[i].keeper, got[i].keeper);
    EXPECT_EQ(expected[i].overlap.common, got[i].overlap.common);
    EXPECT_EQ(expected[i].connected, got[i].connected);
  }
}

/// Fails the test unless everything through buckets, everything through the prefix index, some of both, and solving early give what the
/// pairwise solver gives.
inline void expect_equal_solvers(const CandidateRun& run, Cluster cluster) {
  GroupInputs inputs = run.inputs();
  GroupStats stats;
  const auto small = solve_groups(inputs, cluster, stats, 1'000'000);
  for (const auto& [limit, bucket_pairs] : {std::pair<size_t, uint64_t>{0, 1000}, {0, 0}, {1, 0}, {8, 2}}) {
    inputs.bucket_pairs_per_member = bucket_pairs;
    const auto large = solve_groups(inputs, cluster, stats, limit);
    expect_equal_removals(small, large);
  }
  for (const auto& [memory, small_group] : {std::pair<uint64_t, uint32_t>{1 << 30, 1'000'000}, {1 << 30, 2}, {20'000, 8}, {0, 8}}) {
    expect_equal_removals(small, solve_early(inputs, cluster, memory, small_group).removals);
  }
}

}  // namespace neardup::testing
