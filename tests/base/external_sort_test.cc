#include "base/external_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

struct SortedRecord {
  uint32_t key;
  uint32_t value;
  friend bool operator<(const SortedRecord& x, const SortedRecord& y) { return x.key != y.key ? x.key < y.key : x.value < y.value; }
  friend bool operator==(const SortedRecord&, const SortedRecord&) = default;
};

constexpr size_t kPiece = stoppable_sort_parts::kPiece;

void expect_sorted(std::vector<SortedRecord> records, const char* what) {
  std::vector<SortedRecord> expected = records;
  std::sort(expected.begin(), expected.end());
  stoppable_sort(records.data(), records.data() + records.size());
  EXPECT_EQ(records, expected) << what;
}

std::vector<SortedRecord> made(size_t count, const std::function<uint32_t(uint32_t)>& key) {
  std::vector<SortedRecord> records(count);
  for (uint32_t i = 0; i < count; ++i) records[i] = {key(i), i % 3};
  return records;
}

TEST(StoppableSort, SortsAsStdSort) {
  expect_sorted({}, "nothing");
  std::mt19937_64 random(1);
  for (const size_t count : {size_t{1}, size_t{2}, kPiece, kPiece + 1, 5 * kPiece + 17}) {
    const auto most = static_cast<uint32_t>(count);
    expect_sorted(made(count, [&](uint32_t) { return static_cast<uint32_t>(random()); }), "random");
    expect_sorted(made(count, [](uint32_t i) { return i; }), "ascending");
    expect_sorted(made(count, [&](uint32_t i) { return most - i; }), "descending");
    expect_sorted(made(count, [&](uint32_t i) { return std::min(i, most - i); }), "up and down");
    expect_sorted(made(count, [](uint32_t) { return 7; }), "few different");
    expect_sorted(std::vector<SortedRecord>(count, {7, 7}), "all equal");
    expect_sorted(made(count, [&](uint32_t i) { return i % (most / 8 + 1) == 0 ? 0 : i; }), "the least where the pivot is looked for");
    expect_sorted(made(count, [&](uint32_t i) { return i % (most / 8 + 1) == 0 ? UINT32_MAX : i; }), "the largest there");
  }
}

TEST(StoppableSort, AsksForEachPieceNotForEachComparison) {
  std::mt19937_64 random(2);
  const auto records = made(20 * kPiece, [&](uint32_t) { return static_cast<uint32_t>(random()); });
  auto sorted = records;
  size_t asked = 0;
  const StopFunction count = [&] { return ++asked == 0; };
  const StopScope scope(&count);
  stoppable_sort(sorted.data(), sorted.data() + sorted.size());
  EXPECT_GE(asked, 20u);
  EXPECT_LE(asked, 200u);
}

TEST(StoppableSort, StopsAndKeepsAllRecords) {
  std::mt19937_64 random(3);
  const auto records = made(10 * kPiece, [&](uint32_t) { return static_cast<uint32_t>(random()); });
  auto stopped = records;
  size_t asked = 0;
  const StopFunction stop = [&] { return ++asked == 12; };
  {
    const StopScope scope(&stop);
    EXPECT_THROW(stoppable_sort(stopped.data(), stopped.data() + stopped.size()), Error);
  }
  EXPECT_EQ(asked, 12u) << "at once";
  EXPECT_FALSE(std::is_sorted(stopped.begin(), stopped.end()));
  auto expected = records;
  std::sort(expected.begin(), expected.end());
  std::sort(stopped.begin(), stopped.end());
  EXPECT_EQ(stopped, expected);
}

TEST(ExternalSorter, GivesEverythingInOrderWhateverTheMemory) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2048}, size_t{50'000}}) {
    for (const uint64_t memory : {uint64_t{1}, uint64_t{100'000}, uint64_t{100'000'000}}) {
      std::mt19937_64 random(count);
      std::vector<uint64_t> records(count);
      for (uint64_t& record : records) record = random() % (count + 1);  // with repetitions
      ExternalSorter<uint64_t> sorter(memory, "");
      for (size_t i = 0; i < count; i += 100) {
        sorter.add({records.begin() + static_cast<ptrdiff_t>(i), records.begin() + static_cast<ptrdiff_t>(std::min(i + 100, count))});
      }
      EXPECT_EQ(sorter.count(), count);
      std::vector<uint64_t> sorted;
      sorter.for_each([&](uint64_t record) { sorted.push_back(record); });
      std::sort(records.begin(), records.end());
      EXPECT_EQ(sorted, records);
      EXPECT_EQ(sorter.spilled_bytes() > 0, count * sizeof(uint64_t) > std::max<uint64_t>(memory, 2048 * sizeof(uint64_t)));
    }
  }
}

}  // namespace
}  // namespace neardup
