#include "base/equal_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <set>

#include "base/hash.h"

namespace neardup {
namespace {

using Pairs = std::multiset<std::pair<uint32_t, uint32_t>>;

Pairs grouped_keys(uint32_t threads, uint64_t memory, uint32_t key_bits, const std::vector<std::vector<uint64_t>>& parts) {
  uint64_t keys = 0;
  std::vector<uint32_t> first;
  for (const auto& part : parts) {
    first.push_back(static_cast<uint32_t>(keys));
    keys += part.size();
  }
  Pairs found;
  KeySpace space;
  std::mutex mutex;
  const auto read = [&](uint32_t, size_t part, const auto& emit) {
    for (uint32_t i = 0; i < parts[part].size(); ++i) emit(parts[part][i], first[part] + i);
  };
  for_each_equal_key(threads, memory, {.parts = parts.size(), .keys = keys, .key_bits = key_bits}, space, read,
                     [&](uint32_t a, uint32_t b) {
                       const std::lock_guard lock(mutex);
                       found.emplace(a, b);
                     });
  return found;
}

TEST(EqualKeys, AreThoseOfAMapOfFirstOccurrences) {
  for (const uint32_t key_bits : {48u, 64u}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{100}, size_t{300'000}}) {
      std::mt19937_64 random(count + key_bits);
      std::vector<std::vector<uint64_t>> parts(7);
      std::map<uint64_t, uint32_t> first;
      Pairs expected;
      for (size_t i = 0; i < count; ++i) {
        const uint64_t key = mix64(random() % (count / 2 + 1)) >> (64 - key_bits);  // every value about twice
        parts[i * 7 / count].push_back(key);
        const auto [at, fresh] = first.emplace(key, static_cast<uint32_t>(i));
        if (!fresh) expected.emplace(at->second, static_cast<uint32_t>(i));
      }
      for (const uint32_t threads : {1u, 3u}) {
        for (const uint64_t memory : {uint64_t{1}, uint64_t{1} << 30}) {
          EXPECT_EQ(grouped_keys(threads, memory, key_bits, parts), expected) << count << " keys, " << memory << " bytes";
        }
      }
    }
  }
}

TEST(EqualKeys, AMillionEqualKeysCostNoSquare) {
  const std::vector<std::vector<uint64_t>> parts{std::vector<uint64_t>(1'000'000, 5)};
  EXPECT_EQ(grouped_keys(2, 1 << 30, 48, parts).size(), 999'999u);
}

}  // namespace
}  // namespace neardup
