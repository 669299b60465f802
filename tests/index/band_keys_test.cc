#include "index/band_keys.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup {
namespace {

// Blocks in memory and blocks on disk read the same, and rows come back as they went in.
TEST(BandKeys, GiveBackWhatWasAppended) {
  const LshPlan plan{5, 3};
  std::mt19937 random(1);
  std::vector<std::vector<uint8_t>> blocks;
  for (const size_t documents : {3, 1, 0, 40, 7}) {
    std::vector<uint8_t> rows;
    for (size_t i = 0; i < documents; ++i) {
      std::vector<uint32_t> signature(15);
      for (uint32_t& lane : signature) lane = static_cast<uint32_t>(random());
      BandKeys::append_row(plan, signature, rows);
    }
    blocks.push_back(rows);
  }
  for (const uint64_t memory : {uint64_t{0}, uint64_t{200}, uint64_t{1} << 20}) {
    BandKeys keys(plan, memory, "");
    for (const auto& rows : blocks) keys.append(BandKeys::transpose(plan, rows));
    EXPECT_EQ(keys.spilled_bytes() > 0, memory < (1 << 20));
    std::vector<uint8_t> space;
    std::vector<uint8_t> row(BandKeys::row_bytes(plan));
    uint32_t first = 0;
    for (size_t b = 0; b < blocks.size(); ++b) {
      EXPECT_EQ(keys.first_document(b), first);
      first += keys.documents(b);
      for (uint32_t i = 0; i < keys.documents(b); ++i) {
        keys.copy_row(b, keys.whole(b, space), i, row.data());
        EXPECT_TRUE(std::equal(row.begin(), row.end(), blocks[b].begin() + static_cast<ptrdiff_t>(i * row.size())));
        for (uint32_t band = 0; band < plan.bands; ++band) {
          EXPECT_EQ(BandKeys::load(keys.band(b, band, space).data() + i * BandKeys::kKeyBytes),
                    BandKeys::load(row.data() + band * BandKeys::kKeyBytes));
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup
