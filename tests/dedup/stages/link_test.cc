// The edges of a bucket against the pairs that share one.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "dedup/stages/blob_format.h"
#include "dedup/stages/part_blobs.h"
#include "dedup/stages/stage_settings.h"
#include "index/lsh/band_keys.h"
#include "support/corpus.h"
#include "support/recipe_file.h"
#include "support/skewed_codes.h"
#include "support/spread_labels.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::kSkews;
using testing::make_corpus;
using testing::RecipeFile;
using testing::simhash_words_json;
using testing::Skew;
using testing::skewed_word;
using testing::spread_labels;
using testing::StagedRun;
using testing::views;

using Edges = std::set<std::pair<int64_t, int64_t>>;  // (least, other)

Edges edges_of(const StagedRun& run, const StagedRun::Blobs& blobs) {
  const auto [ranks, least] = run.stages.ranks(BlobKind::kEdges, StagedRun::of_kind(blobs, BlobKind::kEdges));
  Edges edges;
  for (size_t i = 0; i < ranks.size(); ++i) edges.emplace(least[i], ranks[i]);
  return edges;
}

TEST(Link, ConnectsTheDocumentsOfABucketWithItsFirst) {
  Options options;
  const auto texts = make_corpus(51, {.originals = 150, .words = 40, .vocabulary = 60, .max_copies = 5});
  const StageSettings settings(options);
  const LshPlan plan = settings.rule().lsh;
  for (const uint64_t memory : {kMinStageMemory, uint64_t{256'000'000}}) {
    StagedRun run(options, {.parts = 5, .narrow = memory == kMinStageMemory, .memory = memory});
    // The twin: of equal normalized texts the first, and its bucket in each band.
    std::map<std::string, size_t> first;
    std::vector<std::map<uint64_t, std::set<int64_t>>> buckets(plan.bands);
    Sketcher::Scratch scratch;
    std::vector<uint32_t> sketch(settings.sketcher().sketch_words());
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!first.emplace(settings.sketcher().normalize(texts[i], scratch), i).second) continue;
      if (settings.sketcher().sketch(texts[i], scratch, sketch).too_short) continue;
      std::vector<uint8_t> keys;
      BandKeys::append_row(plan, sketch, keys);
      for (uint32_t band = 0; band < plan.bands; ++band)
        buckets[band][BandKeys::load(keys.data() + band * BandKeys::kKeyBytes)].insert(run.rank_of(i));
    }
    Edges expected;
    for (const auto& band : buckets) {
      for (const auto& [key, ranks] : band) {
        for (const int64_t rank : ranks) {
          if (rank != *ranks.begin()) expected.emplace(*ranks.begin(), rank);
        }
      }
    }
    EXPECT_GT(expected.size(), 50u);
    EXPECT_EQ(edges_of(run, run.link(run.collapse(run.pack(views(texts))))), expected);
  }
}

TEST(Link, GivesABucketOfAllDocumentsOneEdgeEach) {
  constexpr uint32_t kDocuments = 20'000;
  const Options options;
  const StageSettings settings(options);
  PartBlobs keys(settings, BlobKind::kKeys, 1, kNarrowRank, 1 << 20);
  for (uint32_t rank = 0; rank < kDocuments; ++rank) {
    for (uint32_t band = 0; band < settings.sections(); ++band) {
      uint8_t* const record = keys.add(0, band);
      std::memset(record, 7, BandKeys::kKeyBytes);
      store_rank(kDocuments - rank, kNarrowRank, record + BandKeys::kKeyBytes);
    }
  }
  keys.finish();
  StagedRun run(options, {.parts = 1, .memory = 1'000'000});
  StagedRun::Blobs blobs;
  while (auto blob = keys.take()) blobs.push_back(std::move(*blob));
  const auto edges = edges_of(run, run.link(blobs));
  EXPECT_EQ(edges.size(), kDocuments - 1);
  for (const auto& [least, rank] : edges) ASSERT_EQ(least, 1) << rank;
}

// Blobs of kKeys of fingerprints, as Collapse makes them.
template <typename Code>
StagedRun::Blobs keys_of(const StageSettings& settings, const std::vector<Fingerprint128>& codes, uint32_t parts) {
  PartBlobs keys(settings, BlobKind::kKeys, parts, kWideRank, 1 << 20);
  for (size_t i = 0; i < codes.size(); ++i) {
    for (uint32_t block = 0; block < settings.sections(); ++block) {
      uint8_t* const record = keys.add(part_of(settings.blocks().key(codes[i], block) * 0x9E3779B97F4A7C15, parts), block);
      std::memcpy(record, &codes[i].low, 8);
      if (Code::kBits == 128) std::memcpy(record + 8, &codes[i].high, 8);
      store_rank(static_cast<int64_t>(codes.size() - i), kWideRank, record + Code::kBits / 8);
    }
  }
  keys.finish();
  StagedRun::Blobs blobs;
  while (auto blob = keys.take()) blobs.push_back(std::move(*blob));
  return blobs;
}

template <typename Code>
void expect_near_components(const std::string& recipe, uint32_t max_distance, Skew skew, uint64_t memory, size_t count,
                            uint64_t used_bits = ~uint64_t{0}) {
  Options options;
  options.recipe = recipe;
  options.max_distance = max_distance;
  const StageSettings settings(options);
  std::mt19937_64 random(max_distance * 31 + static_cast<uint64_t>(skew));
  std::vector<Fingerprint128> codes;
  for (size_t i = 0; i < count; ++i) {
    Fingerprint128 code{Code::kBits == 128 ? skewed_word(random, skew) : 0, skewed_word(random, skew)};
    if (i > 0 && random() % 2 == 0) {  // a few bits away from another one, or equal to it
      code = codes[random() % i];
      for (uint64_t flips = random() % (max_distance + 3); flips > 0; --flips) {
        const uint64_t bit = random() % Code::kBits;
        (bit < 64 ? code.low : code.high) ^= uint64_t{1} << (bit % 64);
      }
    }
    code.low &= used_bits;
    codes.push_back(code);
  }
  Edges near;
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (hamming_distance(codes[a], codes[b]) <= max_distance)
        near.emplace(static_cast<int64_t>(count - a), static_cast<int64_t>(count - b));
    }
  }
  StagedRun run(options, {.parts = 4, .narrow = false, .memory = memory});
  const auto linked = run.link(keys_of<Code>(settings, codes, 4));
  const auto expected = spread_labels(near);
  EXPECT_EQ(run.components(linked), expected);
  for (const auto& [least, rank] : edges_of(run, linked)) EXPECT_LT(least, rank);

  // The fingerprint of each document with an edge, and of no other.
  std::map<int64_t, std::string> payloads;
  for (const StoredRow& row : run.stages.code_rows(StagedRun::of_kind(linked, BlobKind::kCodes))) {
    const auto [at, is_new] = payloads.emplace(row.rank, row.payload);
    EXPECT_EQ(at->second, row.payload);
  }
  ASSERT_EQ(payloads.size(), expected.size());
  for (const auto& [rank, payload] : payloads) {
    ASSERT_TRUE(expected.contains(rank));
    const Fingerprint128& code = codes[count - static_cast<size_t>(rank)];
    uint64_t low = 0;
    ASSERT_GE(payload.size(), Code::kBits / 8);
    std::memcpy(&low, payload.data() + payload.size() - Code::kBits / 8, sizeof low);
    EXPECT_EQ(low, code.low);
  }
}

TEST(Link, ConnectsNearFingerprints) {
  for (const Skew skew : kSkews) {
    for (const uint32_t distance : {0u, 1u, 3u, 7u, 15u})
      expect_near_components<Fingerprint64>("simhash-chars-4", distance, skew, 1 << 20, 400);
  }
}

TEST(Link, ConnectsNearFingerprintsOf128Bits) {
  const RecipeFile recipe(simhash_words_json(128, R"("weighting":{"kind":"tf_v1"},)"));
  for (const Skew skew : {Skew::kNone, Skew::kMixed, Skew::kConstantBits}) {
    for (const uint32_t distance : {0u, 3u, 31u}) expect_near_components<Fingerprint128>(recipe.path(), distance, skew, 1 << 20, 300);
  }
}

// Buckets above 512 are searched through an index, those above the memory a chunk at a time: all these are equal in their last 16 bits.
TEST(Link, ConnectsNearFingerprintsOfLargeBuckets) {
  for (const uint64_t memory : {kMinStageMemory, uint64_t{256'000'000}})
    expect_near_components<Fingerprint64>("simhash-chars-4", 3, Skew::kNone, memory, 3000, ~uint64_t{0xFFFF});
}

}  // namespace
}  // namespace neardup
