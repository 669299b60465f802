#include "dedup/match/candidates/candidate_rows.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kRowBytes = 126;

std::vector<uint8_t> row_of(uint32_t ordinal) {
  std::vector<uint8_t> row(kRowBytes);
  for (size_t i = 0; i < kRowBytes; ++i) row[i] = static_cast<uint8_t>(ordinal * 31 + ordinal / 256 + i);
  return row;
}

CandidateRows make(uint32_t count, uint64_t memory_bytes) {
  CandidateRows rows(kRowBytes, count, memory_bytes, "");
  for (uint32_t ordinal = 0; ordinal < count; ++ordinal) rows.append(row_of(ordinal).data());
  rows.finish();
  return rows;
}

TEST(CandidateRows, HoldsTheSameRowsInMemoryAndOnDisk) {
  constexpr uint32_t kCount = 20'000;  // more than is written at a time
  for (const uint64_t memory : {uint64_t{0}, kRowBytes * kCount - 1, kRowBytes * kCount}) {
    const CandidateRows rows = make(kCount, memory);
    EXPECT_EQ(rows.spilled_bytes(), memory < kRowBytes * kCount ? kRowBytes * kCount : 0);
    for (uint32_t ordinal = 0; ordinal < kCount; ++ordinal) {
      ASSERT_EQ(std::memcmp(rows.data() + ordinal * kRowBytes, row_of(ordinal).data(), kRowBytes), 0) << ordinal;
    }
  }
}

TEST(CandidateRows, KeepsTheRowsAskedForAndMoves) {
  const std::vector<uint32_t> kept{0, 3, 4, 999};
  for (const uint64_t memory : {uint64_t{0}, kRowBytes * 10, kRowBytes * 1000}) {
    CandidateRows made = make(1000, memory);
    made.keep(kept);
    EXPECT_EQ(made.spilled_bytes() > 0, memory < kRowBytes * kept.size());
    const CandidateRows rows = std::move(made);
    for (size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(std::memcmp(rows.data() + i * kRowBytes, row_of(kept[i]).data(), kRowBytes), 0) << i;
    }
  }
}

TEST(CandidateRows, MayHaveNoRowsAndRowsOfNoBytes) {
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1000}}) {
    CandidateRows none = make(0, memory);
    none.keep({});
    EXPECT_EQ(none.spilled_bytes(), 0u);
    CandidateRows empty(0, 3, memory, "");
    for (int i = 0; i < 3; ++i) empty.append(nullptr);
    empty.finish();
    empty.keep(std::vector<uint32_t>{0, 2});
    EXPECT_EQ(empty.spilled_bytes(), 0u);
  }
}

TEST(CandidateRows, NamesAFolderThatIsNotThere) {
  EXPECT_THROW(CandidateRows(kRowBytes, 10, 0, "/no/such/folder"), Error);
}

}  // namespace
}  // namespace neardup
