#include "store/tables/slot_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace neardup {
namespace {

constexpr auto kNoCheck = [](const uint8_t*, size_t) {};
constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;

std::vector<uint32_t> found(const SlotTable& table, uint64_t key) {
  std::vector<uint32_t> rows;
  table.visit(key, kNoCheck, [&](uint32_t row) { rows.push_back(row); });
  std::ranges::sort(rows);
  return rows;
}

// The twin: a multimap of whole keys.
TEST(SlotTables, FindAllRowsOfAKey) {
  for (const uint32_t rows : {1u, 27u, 28u, 1000u, 100'000u}) {
    std::mt19937_64 random(rows);
    std::vector<uint64_t> keys;
    std::multimap<uint64_t, uint32_t> expected;
    SlotTableBuilder table(rows);
    for (uint32_t row = 0; row < rows; ++row) {
      const uint64_t key = row > 0 && random() % 4 == 0 ? keys[random() % row] : random() & kMask;
      keys.push_back(key);
      expected.emplace(key, row);
      ASSERT_TRUE(table.insert(
          key, row, UINT32_MAX, [&](uint32_t other) { return keys[other] == key; }, [](uint32_t) { return false; }));
    }
    uint64_t others = 0;
    for (const uint64_t key : keys) {
      std::vector<uint32_t> own;
      for (const uint32_t row : found(table, key)) {
        if (keys[row] == key) {
          own.push_back(row);
        } else {
          ++others;
        }
      }
      std::vector<uint32_t> wanted;
      for (auto [at, end] = expected.equal_range(key); at != end; ++at) wanted.push_back(at->second);
      std::ranges::sort(wanted);
      ASSERT_EQ(own, wanted);
    }
    // 27 tags in a group and 16 bits: once in 2,400 look-ups by chance, and more often where keys repeat.
    EXPECT_LE(others, 20 + keys.size() / 300);
  }
}

TEST(SlotTables, BucketsTakeAsManyRowsAsTheyMay) {
  SlotTableBuilder table(100);
  const auto same = [](uint32_t) { return true; };
  const auto alive = [](uint32_t) { return false; };
  for (uint32_t row = 0; row < 8; ++row) EXPECT_TRUE(table.insert(42, row, 8, same, alive));
  EXPECT_FALSE(table.insert(42, 8, 8, same, alive));
  EXPECT_EQ(found(table, 42).size(), 8u);
  // The place of a dead row is taken, and the bucket is as full as before.
  EXPECT_TRUE(table.insert(42, 9, 8, same, [](uint32_t row) { return row == 3; }));
  EXPECT_EQ(found(table, 42), (std::vector<uint32_t>{0, 1, 2, 4, 5, 6, 7, 9}));
  EXPECT_FALSE(table.insert(42, 10, 8, same, alive));
}

TEST(SlotTables, MoreRowsOfAKeyThanAGroupHas) {
  SlotTableBuilder table(200);
  for (uint32_t row = 0; row < 200; ++row)
    table.insert(
        7, row, UINT32_MAX, [](uint32_t) { return true; }, [](uint32_t) { return false; });
  EXPECT_EQ(found(table, 7).size(), 200u);
}

TEST(SlotTables, AnEmptyTableHasNothing) {
  EXPECT_TRUE(found(SlotTable(), 1).empty());
  EXPECT_TRUE(found(SlotTableBuilder(0), 1).empty());
}

// A damaged file has any bytes: the visit ends.
TEST(SlotTables, AnyBytesEnd) {
  std::mt19937_64 random(1);
  std::vector<uint8_t> bytes(SlotTable::bytes_for(3));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() | 1);  // no slot is empty
  const SlotTable table(bytes.data(), 3);
  for (int i = 0; i < 1000; ++i) EXPECT_LE(found(table, random() & kMask).size(), 96u);
}

}  // namespace
}  // namespace neardup
