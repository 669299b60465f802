// expect_equal_solvers(): the solvers of small and of large groups decide alike.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "dedup/match/solve_groups.h"
#include "support/candidate_run.h"

namespace neardup::testing {

/// Fails the test unless everything through buckets, everything through the prefix index, and some of both give what the pairwise solver
/// gives.
inline void expect_equal_solvers(const CandidateRun& run, Cluster cluster) {
  GroupInputs inputs = run.inputs();
  GroupStats stats;
  const auto small = solve_groups(inputs, cluster, stats, 1'000'000);
  for (const auto& [limit, bucket_pairs] : {std::pair<size_t, uint64_t>{0, 1000}, {0, 0}, {1, 0}, {8, 2}}) {
    inputs.bucket_pairs_per_member = bucket_pairs;
    const auto large = solve_groups(inputs, cluster, stats, limit);
    ASSERT_EQ(small.size(), large.size());
    for (size_t i = 0; i < small.size(); ++i) {
      EXPECT_EQ(small[i].document, large[i].document);
      EXPECT_EQ(small[i].keeper, large[i].keeper);
      EXPECT_EQ(small[i].overlap.common, large[i].overlap.common);
      EXPECT_EQ(small[i].connected, large[i].connected);
    }
  }
}

}  // namespace neardup::testing
