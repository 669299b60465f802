#include "index/lsh/band_keys.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup {
namespace {

// Blocks in memory and on disk read the same, and rows are read as written.
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

// Kept documents, in more than one block, are renumbered, and appended ones follow.
TEST(BandKeys, KeepsDocuments) {
  const LshPlan plan{3, 2};
  const size_t bytes = BandKeys::row_bytes(plan);
  std::mt19937 random(2);
  std::vector<uint8_t> rows;  // of all documents
  for (const uint64_t memory : {uint64_t{0}, uint64_t{100'000}, uint64_t{1} << 30}) {
    BandKeys keys(plan, memory, "");
    rows.clear();
    const auto append = [&](size_t documents) {
      std::vector<uint8_t> more(documents * bytes);
      for (uint8_t& byte : more) byte = static_cast<uint8_t>(random());
      keys.append(BandKeys::transpose(plan, more));
      rows.insert(rows.end(), more.begin(), more.end());
    };
    const auto expect_rows = [&] {
      std::vector<uint8_t> got;
      std::vector<uint8_t> space;
      for (size_t b = 0; b < keys.block_count(); ++b) {
        EXPECT_EQ(keys.first_document(b), got.size() / bytes);
        for (uint32_t i = 0; i < keys.documents(b); ++i) {
          got.resize(got.size() + bytes);
          keys.copy_row(b, keys.whole(b, space), i, got.data() + got.size() - bytes);
        }
      }
      EXPECT_EQ(got, rows);
    };
    for (const double share : {1.0, 0.7, 0.0, 0.3}) {
      for (const size_t documents : {9000, 1, 5000}) append(documents);
      expect_rows();
      std::vector<uint32_t> stay;
      std::vector<uint8_t> left;
      for (uint32_t d = 0; d < rows.size() / bytes; ++d) {
        if (static_cast<double>(random() % 1000) / 1000 >= share) continue;
        stay.push_back(d);
        left.insert(left.end(), rows.begin() + static_cast<ptrdiff_t>(d * bytes), rows.begin() + static_cast<ptrdiff_t>((d + 1) * bytes));
      }
      keys.keep(stay);
      rows = left;
      expect_rows();
    }
  }
}

}  // namespace
}  // namespace neardup
