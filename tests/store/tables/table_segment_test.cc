#include "store/tables/table_segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/error.h"
#include "store/tables/table_segment_writer.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

const TableStoreSpec kSpec{.recipe_id = 7, .recipe = "{}", .bands = 3, .rows_per_band = 4, .filter_bytes = 8};

std::string segment_path() {
  return ::testing::TempDir() + "neardup_tables_" + std::to_string(::getpid()) + ".ndh";
}

struct Rows {
  std::vector<uint8_t> bytes;
  uint32_t count = 0;
  RowLayout layout = kSpec.layout();

  // `bucket`: equal first band keys.
  void add(uint64_t sequence, std::mt19937_64& random, uint64_t bucket) {
    std::vector<uint8_t> row(layout.row_bytes());
    for (uint8_t& byte : row) byte = static_cast<uint8_t>(random());
    RowHead head{.sequence = sequence,
                 .expires = RowHead::kNever,
                 .exact_high = random(),
                 .exact_low = random(),
                 .id_hash = random(),
                 .features = 2};
    RowLayout::set_head(head, row.data());
    std::memcpy(row.data() + sizeof(RowHead) + kSpec.filter_bytes, &bucket, BandKeys::kKeyBytes);
    bytes.insert(bytes.end(), row.begin(), row.end());
    ++count;
  }
  [[nodiscard]] TablePart part() const { return {&layout, bytes.data(), count, {}, nullptr, 0}; }
};

WrittenSegment write(const Rows& rows, const std::vector<uint32_t>& chosen) {
  const std::vector<TableRows> parts{{rows.part(), chosen}};
  return write_table_segment(
      segment_path(), kSpec, parts, [](uint8_t*) {},
      [](uint64_t sequence, std::vector<uint64_t>& features) {
        features = {sequence, sequence + 1};
      },
      2);
}

class TableSegments : public ::testing::Test {
 protected:
  TableSegments() {
    std::mt19937_64 random(1);
    // Twelve rows of one bucket among two hundred others.
    for (uint64_t i = 0; i < 200; ++i) rows_.add(i * 3, random, i % 16 == 0 ? 99 : random());
  }
  ~TableSegments() override { std::filesystem::remove(segment_path()); }
  Rows rows_;
};

TEST_F(TableSegments, HaveTheChosenRowsInOrder) {
  std::vector<uint32_t> chosen;
  for (uint32_t row = 0; row < 200; row += 2) chosen.push_back(row);
  EXPECT_EQ(write(rows_, chosen).entries, 100u);
  const TableSegment segment(segment_path(), kSpec);
  segment.verify(2);
  const TablePart part = segment.part();
  ASSERT_EQ(part.rows, 100u);
  EXPECT_EQ(part.last_sequence, 198u * 3);
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    const uint8_t* const original = rows_.part().row(chosen[i]);
    EXPECT_EQ(std::memcmp(part.row(i), original, kSpec.layout().row_bytes()), 0);
    EXPECT_EQ(part.find(RowLayout::sequence(original)), i);
  }
  EXPECT_EQ(part.find(3), std::nullopt);
  EXPECT_EQ(part.find(100'000), std::nullopt);
}

TEST_F(TableSegments, RowsBeyondAFullBucketAreHot) {
  std::vector<uint32_t> all(200);
  for (uint32_t row = 0; row < 200; ++row) all[row] = row;
  write(rows_, all);
  const TableSegment segment(segment_path(), kSpec);
  std::vector<uint32_t> in_bucket;
  segment.part().visit(0, 99, [&](uint32_t row) { in_bucket.push_back(row); });
  EXPECT_EQ(in_bucket.size(), kBucketRows);
  std::vector<uint64_t> hot;
  segment.for_each_hot([&](uint64_t sequence, std::span<const uint64_t> features) {
    hot.push_back(sequence);
    EXPECT_EQ(std::vector<uint64_t>(features.begin(), features.end()), (std::vector<uint64_t>{sequence, sequence + 1}));
  });
  EXPECT_EQ(hot, (std::vector<uint64_t>{128 * 3, 144 * 3, 160 * 3, 176 * 3, 192 * 3}));
}

TEST_F(TableSegments, NeedTheLayoutOfTheStore) {
  write(rows_, {0, 1});
  TableStoreSpec other = kSpec;
  other.bands = 4;
  try {
    const TableSegment segment(segment_path(), other);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_THAT(error.what(), HasSubstr("3 bands of 4 rows"));
  }
}

// Every bit of some bytes of each section: an error that names the file, and never another answer.
TEST_F(TableSegments, EveryFlippedBitIsFound) {
  std::vector<uint32_t> all(200);
  for (uint32_t row = 0; row < 200; ++row) all[row] = row;
  write(rows_, all);
  std::ifstream file(segment_path(), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::mt19937_64 random(2);
  for (int i = 0; i < 400; ++i) {
    const size_t at = random() % whole.size();
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    std::ofstream(segment_path(), std::ios::binary) << damaged;
    try {
      const TableSegment segment(segment_path(), kSpec);
      segment.verify(1);
      EXPECT_EQ(whole[at], '\0') << "byte " << at;  // padding between sections is not hashed
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      EXPECT_THAT(error.what(), HasSubstr(segment_path()));
    }
  }
}

}  // namespace
}  // namespace neardup
