#include "base/external_sort.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup {
namespace {

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
