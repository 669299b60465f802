// Building within a memory budget: the same bytes, and ranges that keep to it.
#include "index/hamming/hamming_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/hamming/bucket_directory.h"
#include "index/hamming/key_sweep.h"
#include "neardup/tools/hamming_plan.h"
#include "support/skewed_codes.h"

namespace neardup::testing {
namespace {

template <typename Code>
std::string image_of(std::span<const Code> codes, const HammingPlan& plan, const HammingBuildRun& run) {
  PageBuffer bytes;
  build_hamming_image(codes, HammingIds::kRows, {}, plan, run, bytes);
  return {bytes.data(), bytes.size()};
}

template <typename Code>
class HammingBuild : public ::testing::Test {};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingBuild, Codes);

TYPED_TEST(HammingBuild, TheBudgetChangesNoByte) {
  for (const Skew skew : kSkews) {
    const std::vector<TypeParam> codes = skewed_codes<TypeParam>(7, 60'000, skew);
    HammingPlan wide{.bits = TypeParam::kBits, .radius = 3, .order = {}, .blocks = {{0, 18, 1}, {18, 18, 1}}};  // mostly empty buckets
    const HammingPlan planned = plan_hamming(hamming_statistics(std::span(codes)), 3, {});
    for (const HammingPlan& plan : {wide, planned}) {
      const std::string expected = image_of<TypeParam>(codes, plan, {.threads = 1, .memory_bytes = 0, .temp_dir = {}});
      for (const uint64_t memory : {1, 100'000, 1'500'000}) {
        const HammingBuildRun run{.threads = 3, .memory_bytes = memory, .temp_dir = {}};
        ASSERT_TRUE(image_of<TypeParam>(codes, plan, run) == expected) << "skew " << static_cast<int>(skew) << ", memory " << memory;
      }
    }
  }
}

// What a range takes by the rule of SortedKeys; all entries come once, in order.
void check_ranges(const std::vector<Fingerprint64>& codes, uint32_t threads, uint64_t memory, uint64_t entry_bytes, uint64_t all_cells) {
  const BitOrder<uint64_t> order({});
  SortedKeys<Fingerprint64, uint64_t> keys(codes, order, 20, threads, memory, entry_bytes, all_cells);
  std::vector<uint64_t> seen;
  std::vector<std::vector<uint64_t>> sorted;
  uint64_t ranges = 0;
  keys.run([](uint64_t word, size_t) { return word; }, [&](const auto& range) { sorted.assign(range.cells.size(), {}); },
           [&](const auto&, size_t cell, std::span<const uint64_t> entries) { sorted[cell].assign(entries.begin(), entries.end()); },
           [&](const auto& range) {
             uint64_t entries = 0;
             for (const auto& cell : sorted) {
               entries += cell.size();
               seen.insert(seen.end(), cell.begin(), cell.end());
             }
             const uint64_t taken = entries * (sizeof(uint64_t) + entry_bytes) + (all_cells >> keys.cell_bits()) * range.cells.size();
             EXPECT_TRUE(range.cells.size() == 1 || taken <= memory) << taken;
             ++ranges;
           });
  std::vector<uint64_t> expected;
  for (const Fingerprint64 code : codes) expected.push_back(code.low);
  std::ranges::sort(expected);
  EXPECT_EQ(seen, expected);
  EXPECT_GE(ranges, (codes.size() * (sizeof(uint64_t) + entry_bytes) + all_cells) / memory);
}

TEST(SortedKeysRanges, CountTheCellsAsWellAsTheEntries) {
  std::mt19937_64 random(3);
  std::vector<Fingerprint64> codes(500'000);
  for (auto& code : codes) code.low = random();
  check_ranges(codes, 2, 1'000'000, 0, 0);
  check_ranges(codes, 2, 3'000'000, 4, 32'000'000);
  // Nearly all entries in one cell: the others are almost empty, and take room all the same.
  for (size_t i = 0; i < codes.size(); ++i) {
    if (i % 50 != 0) codes[i].low = codes[i].low >> 8 | uint64_t{7} << 56;
  }
  check_ranges(codes, 2, 8'000'000, 4, 64'000'000);
  check_ranges(codes, 3, 20'000'000, 0, 64'000'000);
}

TEST(BucketDirectoryWriting, SpillsThroughFilesAsInMemory) {
  std::mt19937_64 random(11);
  std::vector<uint64_t> counts(20'000);
  for (auto& count : counts) count = random() % 3 == 0 ? random() % 400 : random() % 2;
  std::string bytes[2];
  for (const uint64_t memory : {0, 5'000}) {
    BucketDirectoryWriter writer(1, memory, {});
    for (size_t group = 0; group < counts.size(); ++group) writer.add(group, counts[group]);
    writer.finish(counts.size());
    ASSERT_GT(writer.spill_count(), 5'000u);
    PageBuffer made;
    writer.move_lines_to(made);
    writer.move_spill_to(made);
    bytes[memory == 0 ? 0 : 1].assign(made.data(), made.size());
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

}  // namespace
}  // namespace neardup::testing
