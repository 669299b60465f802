#include "index/anchors/posting_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint64_t kHashes = uint64_t{1} << kAnchorHashBits;

void expect_sorted(std::vector<Posting> postings, uint64_t memory_bytes, bool spills) {
  PostingSorter sorter(memory_bytes, "");
  for (size_t i = 0; i < postings.size(); i += 1000) sorter.add({postings.data() + i, std::min<size_t>(1000, postings.size() - i)});
  EXPECT_EQ(sorter.count(), postings.size());
  EXPECT_EQ(sorter.spilled_bytes() > 0, spills);
  std::vector<Posting> sorted;
  sorter.for_each([&](const Posting& posting) { sorted.push_back(posting); });
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  EXPECT_TRUE(sorted == postings);
}

std::vector<Posting> made(size_t count, const std::function<Posting(uint64_t, std::mt19937_64&)>& posting) {
  std::mt19937_64 random(7);
  std::vector<Posting> postings(count);
  for (size_t i = 0; i < count; ++i) postings[i] = posting(i, random);
  return postings;
}

uint16_t context(std::mt19937_64& random) {
  return static_cast<uint16_t>(random() % (1 << kContextBits));
}

TEST(PostingSorter, SortsAsStdSort) {
  constexpr uint64_t kLittle = 1'000'000;
  constexpr uint64_t kMuch = 200'000'000;
  expect_sorted({}, kMuch, false);
  expect_sorted({{0, 0, 0}}, 0, false);
  expect_sorted({{kHashes - 1, kMaxPostingText, (1 << kContextBits) - 1}, {0, 0, 0}, {kHashes - 1, kMaxPostingText, 0}}, kMuch, false);
  const auto random = made(400'000, [](uint64_t, auto& engine) {
    return Posting{engine() % kHashes, static_cast<uint32_t>(engine() % kMaxPostingText), context(engine)};
  });
  expect_sorted(random, kMuch, false);
  expect_sorted(random, kLittle, true);
  // As they come from texts: ascending by text, some hashes frequent, the contexts of one text in any order, some postings twice.
  const auto usual = made(400'000, [](uint64_t i, auto& engine) {
    const uint64_t which = engine() % (engine() % 8 == 0 ? 50 : 100'000);
    return Posting{which * 0x9E37'79B9'7F4A'7C15u >> (64 - kAnchorHashBits), static_cast<uint32_t>(i / 20),
                   static_cast<uint16_t>(engine() % 3)};
  });
  expect_sorted(usual, kMuch, false);
  expect_sorted(usual, kLittle, true);
  auto backwards = usual;
  std::reverse(backwards.begin(), backwards.end());
  expect_sorted(backwards, kMuch, false);
  expect_sorted(backwards, kLittle, true);
}

TEST(PostingSorter, SortsBinsOfEverySize) {
  for (const uint64_t count : {1, 2, 63, 64, 65, 66, 511, 512, 513, 5000}) {
    expect_sorted(made(count,
                       [](uint64_t, auto& engine) {
                         return Posting{engine() % (1 << 20), static_cast<uint32_t>(engine()) >> 1, 0};
                       }),
                  1 << 20, false);
  }
}

TEST(PostingSorter, SortsAMillionEqualHashes) {
  const auto equal = made(1 << 20, [](uint64_t i, auto& engine) {
    return Posting{kHashes / 3, static_cast<uint32_t>(i * 2654435761u) % kMaxPostingText, context(engine)};
  });
  expect_sorted(equal, 200'000'000, false);
  expect_sorted(equal, 2'000'000, true);
  expect_sorted(std::vector<Posting>(1 << 20, Posting{5, 6, 7}), 2'000'000, true);
}

// Just below and above what a part may have that is sorted in memory, with a second copy of its largest bin.
TEST(PostingSorter, SortsPartsOfAboutTheMemory) {
  constexpr uint64_t kMemory = 4 << 20;  // a quarter of it sorts
  for (const uint64_t count : {32'768, 32'769, 65'000, 65'536, 65'537}) {
    expect_sorted(made(count,
                       [](uint64_t i, auto& engine) {
                         return Posting{engine() % (1 << 20), static_cast<uint32_t>(i * 2654435761u) % kMaxPostingText, context(engine)};
                       }),
                  kMemory, false);
  }
}

TEST(PostingSorter, CanBeStopped) {
  bool stop = false;
  const StopFunction function = [&] { return stop; };
  const StopScope scope(&function);
  const auto random = made(300'000, [](uint64_t i, auto& engine) { return Posting{engine() % kHashes, static_cast<uint32_t>(i), 0}; });
  PostingSorter sorter(1'000'000, "");
  sorter.add(random);
  PostingSorter other(1'000'000, "");
  stop = true;
  EXPECT_THROW(other.add(random), Error);
  EXPECT_THROW(sorter.for_each([](const Posting&) {}), Error);
}

}  // namespace
}  // namespace neardup
