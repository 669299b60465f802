// Components at once and by rounds of stars against labels that spread one edge at a time.
#include "dedup/stages/components.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "dedup/stages/blob_format.h"
#include "dedup/stages/part_blobs.h"
#include "support/spread_labels.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::spread_labels;
using testing::StagedRun;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

StagedRun::Blobs edge_blobs(const StageSettings& settings, const Pairs& edges, uint64_t memory) {
  PartBlobs out(settings, BlobKind::kEdges, 1, kWideRank, memory);
  for (const auto& [rank, other] : edges) {
    uint8_t* const record = out.add(0);
    store_rank(rank, kWideRank, record);
    store_rank(other, kWideRank, record + kWideRank);
  }
  out.finish();
  StagedRun::Blobs blobs;
  while (auto blob = out.take()) blobs.push_back(std::move(*blob));
  return blobs;
}

Pairs random_edges(std::mt19937_64& random, int64_t documents, size_t count) {
  Pairs edges;
  const auto any = [&] { return static_cast<int64_t>(random() % static_cast<uint64_t>(documents)) * 7 - 500; };
  while (edges.size() < count) {
    const int64_t a = any();
    const int64_t b = any();
    if (a != b) edges.emplace_back(a, b);
  }
  return edges;
}

// The rounds until the edges stay the same.
uint32_t expect_components(const Pairs& edges, uint64_t seed) {
  const Options options;
  const StageSettings settings(options);
  const auto expected = spread_labels(edges);
  uint32_t rounds = 0;
  for (const bool stars : {false, true}) {
    StagedRun run(options, {.seed = seed, .parts = 1 + static_cast<uint32_t>(seed % 9), .memory = kMinStageMemory, .stars = stars});
    EXPECT_EQ(run.components(run.shuffled(edge_blobs(settings, edges, 4096))), expected) << "stars " << stars << ", seed " << seed;
    EXPECT_FALSE(run.doubles);
    rounds = run.star_rounds;
  }
  return rounds;
}

TEST(Components, AreThoseOfSpreadLabels) {
  std::mt19937_64 random(61);
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const auto documents = static_cast<int64_t>(2 + random() % 400);
    expect_components(random_edges(random, documents, random() % 500), seed);
  }
  expect_components({}, 1);
}

// A chain needs rounds of the logarithm of its length.
TEST(Components, OfChainsAndStarsNeedFewRounds) {
  Pairs chain;
  for (int64_t i = 0; i < 3000; ++i) chain.emplace_back(i, i + 1);
  EXPECT_LE(expect_components(chain, 3), 14u);
  Pairs star;
  for (int64_t i = 1; i < 5000; ++i) star.emplace_back(i, 0);
  EXPECT_LE(expect_components(star, 4), 2u);
  Pairs around_last;
  for (int64_t i = 0; i < 3000; ++i) around_last.emplace_back(3000, i);
  EXPECT_LE(expect_components(around_last, 5), 3u);
}

}  // namespace
}  // namespace neardup
