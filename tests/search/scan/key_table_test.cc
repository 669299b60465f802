#include "search/scan/key_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace neardup {
namespace {

TEST(KeyTable, HasWhatWasPutIn) {
  std::mt19937_64 random(71);
  for (const size_t entries : {size_t{0}, size_t{1}, size_t{2}, size_t{100}, size_t{50'000}}) {
    std::map<uint64_t, std::vector<uint32_t>> expected;
    std::vector<KeyTable<uint32_t>::Entry> given;
    for (uint32_t i = 0; i < entries; ++i) {
      // Some keys differ in the highest bits alone, some are equal.
      const uint64_t key = i % 3 == 0 ? random() << 56 : random() % (entries * 2) + (random() % 4 << 40);
      given.emplace_back(key, i);
      expected[key].push_back(i);
    }
    const KeyTable<uint32_t> table(given);
    EXPECT_EQ(table.keys(), expected.size());
    EXPECT_EQ(table.empty(), entries == 0);
    std::set<uint32_t> numbers;
    for (const auto& [key, values] : expected) {
      ASSERT_TRUE(table.may_have(key));
      const auto list = table.find(key);
      EXPECT_EQ(std::vector<uint32_t>(list.values.begin(), list.values.end()), values);
      EXPECT_LT(list.number, table.keys());
      numbers.insert(list.number);
    }
    EXPECT_EQ(numbers.size(), expected.size());
    size_t passed = 0;
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t key = random();
      if (expected.contains(key)) continue;
      passed += static_cast<size_t>(table.may_have(key));
      EXPECT_TRUE(table.find(key).values.empty());
    }
    EXPECT_LT(passed, 1000u) << "of 10,000, with 16 bits a key";
  }
}

}  // namespace
}  // namespace neardup
