#include "dedup/report/cluster_sizes.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(ClusterSizes, CountsTheKeeperAndItsRemovedDocuments) {
  ClusterSizes sizes(5, {});
  sizes.add(1);
  sizes.add(1);
  sizes.add(3);
  sizes.finish();
  EXPECT_EQ(sizes.of_document(0), 1u);
  EXPECT_EQ(sizes.of_document(1), 3u);
  EXPECT_EQ(sizes.of_document(3), 2u);
  const ClusterSizes::Totals totals = sizes.totals();
  EXPECT_EQ(totals.clusters, 2u);
  EXPECT_EQ(totals.largest, 3u);
  EXPECT_FALSE(totals.is_entry);
  EXPECT_EQ(totals.keeper, 1u);
}

TEST(ClusterSizes, MatchesOfOneEntryAreOneCluster) {
  // A removed document and its two copies; another one of the same entry; one of another entry; a match that removed nothing.
  ClusterSizes sizes(9, {{0, 7}, {1, 7}, {0, 7}, {0, 8}});
  for (const size_t match : {0, 0, 0, 2, 1}) sizes.add_to_entry(match);
  sizes.finish();
  EXPECT_EQ(sizes.of_entry(0), 5u);
  EXPECT_EQ(sizes.of_entry(1), 2u);
  EXPECT_EQ(sizes.of_entry(2), 5u);
  EXPECT_EQ(sizes.of_entry(3), 1u);
  const ClusterSizes::Totals totals = sizes.totals();
  EXPECT_EQ(totals.clusters, 2u);
  EXPECT_EQ(totals.largest, 5u);
  EXPECT_TRUE(totals.is_entry);
  EXPECT_EQ(totals.keeper, 0u);
}

TEST(ClusterSizes, OfEqualClustersTheFirstIsTheLargest) {
  ClusterSizes documents(4, {});
  documents.add(2);
  documents.add(0);
  documents.finish();
  EXPECT_EQ(documents.totals().keeper, 0u);

  ClusterSizes both(4, {{2, 1}, {1, 9}});
  both.add(0);
  both.add_to_entry(0);
  both.add_to_entry(1);
  both.finish();
  EXPECT_TRUE(both.totals().is_entry);
  EXPECT_EQ(both.totals().keeper, 1u);
  EXPECT_EQ(both.totals().clusters, 3u);
}

TEST(ClusterSizes, WithoutRemovalsThereIsNoCluster) {
  ClusterSizes sizes(3, {});
  sizes.finish();
  EXPECT_EQ(sizes.totals().clusters, 0u);
  EXPECT_EQ(sizes.totals().largest, 0u);
}

}  // namespace
}  // namespace neardup
