// The kernels of the self-join, of every instruction set, against all pairs one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "kernels/kernels.h"
#include "support/kernel_test.h"

namespace neardup::kernels {

bool operator==(const KeyMatch& x, const KeyMatch& y) {
  return x.a == y.a && x.b == y.b && x.distance == y.distance;
}

namespace {

// Random keys in buckets, with near ones among them and one after another.
struct SomeKeys {
  std::vector<uint32_t> sizes;  // of the buckets
  std::vector<uint32_t> starts;
  std::vector<uint64_t> low;
  std::vector<uint64_t> high;
  uint32_t count = 0;

  // Bucket numbers begin at `first`, of `width` bits; one bucket in eight has up to `largest` keys, the others one or two fewer than six.
  SomeKeys(std::mt19937_64& random, uint64_t first, uint32_t width, uint32_t buckets, uint32_t largest, uint32_t lanes) {
    for (uint32_t b = 0; b < buckets; ++b) {
      sizes.push_back(static_cast<uint32_t>(random() % 8 == 0 ? random() % (largest + 1) : random() % 6));
      starts.push_back(2 * count + (sizes.back() > lanes ? 1 : 0));
      for (uint32_t i = 0; i < sizes.back(); ++i) {
        uint64_t word = random();
        uint64_t word_high = random();
        if (!low.empty() && random() % 3 != 0) {
          const size_t like = random() % low.size();
          word = low[like];
          word_high = high[like];
          for (uint64_t flips = random() % 6; flips > 0; --flips) (random() % 2 == 0 ? word : word_high) ^= uint64_t{1} << random() % 64;
        }
        low.push_back(word);
        high.push_back(with_number(word_high, first + b, width));
      }
      count += sizes.back();
    }
    starts.push_back(2 * count);
    low_only = low;
    size_t i = 0;
    for (uint32_t b = 0; b < buckets; ++b) {
      for (uint32_t each = 0; each < sizes[b]; ++each, ++i) low_only[i] = with_number(low_only[i], first + b, width);
    }
    // The words after the last key are near all of them, but are not keys.
    for (size_t slack = 0; slack < kKeySlack; ++slack) {
      low.push_back(count == 0 ? 0 : low[0]);
      high.push_back(count == 0 ? 0 : high[0]);
      low_only.push_back(count == 0 ? 0 : low_only[0]);
    }
  }
  std::vector<uint64_t> low_only;  // as codes of 64 bits

  static uint64_t with_number(uint64_t word, uint64_t number, uint32_t width) {
    return (word & (~uint64_t{0} >> width)) | number << (64 - width);
  }
  [[nodiscard]] Keys keys(bool wide) const { return wide ? Keys{low.data(), high.data()} : Keys{low_only.data(), nullptr}; }
};

uint32_t distance(Keys a, size_t i, Keys b, size_t j) {
  const int below = std::popcount(a.low[i] ^ b.low[j]);
  return static_cast<uint32_t>(below + (a.high == nullptr ? 0 : std::popcount(a.high[i] ^ b.high[j])));
}

class KeysKernels : public neardup::testing::KernelTest {};

TEST_P(KeysKernels, ListsEqualAllPairsByTiles) {
  std::mt19937_64 random(1);
  for (const bool wide : {false, true}) {
    for (const uint32_t radius : {0u, 1u, 3u, 8u, 30u, 64u, 127u}) {
      for (int round = 0; round < 40; ++round) {
        const SomeKeys a(random, 5, 10, static_cast<uint32_t>(random() % 20), 40, 8);
        const SomeKeys b(random, 7, 10, static_cast<uint32_t>(random() % 20), 40, 8);
        const auto pairs = [&](const SomeKeys& x, const SomeKeys& y, bool own) {
          std::vector<KeyMatch> expected;
          for (uint32_t i = 0; i < x.count; ++i) {
            for (uint32_t j = own ? i + 1 : 0; j < y.count; ++j) {
              const uint32_t apart = distance(x.keys(wide), i, y.keys(wide), j);
              if (apart <= radius) expected.push_back({i, j, apart});
            }
          }
          std::ranges::stable_sort(expected, {}, [](const KeyMatch& match) { return std::pair(match.a / kKeyTile, match.b / kKeyTile); });
          return expected;
        };
        std::vector<KeyMatch> matches(size_t{a.count} * b.count);
        matches.resize(unit().near_keys(a.keys(wide), a.count, b.keys(wide), b.count, radius, matches.data()));
        ASSERT_EQ(matches, pairs(a, b, false)) << unit().name << ", radius " << radius;
        matches.resize(size_t{a.count} * a.count);
        matches.resize(unit().near_own_keys(a.keys(wide), a.count, radius, matches.data()));
        ASSERT_EQ(matches, pairs(a, a, true)) << unit().name << ", radius " << radius;
      }
    }
  }
}

TEST_P(KeysKernels, MeetingsEqualPairsWithTheBucket) {
  std::mt19937_64 random(2);
  constexpr uint32_t kBits = 5;
  constexpr uint32_t kMask = (1 << kBits) - 1;
  for (const bool wide : {false, true}) {
    for (const uint32_t lanes : {8u, 16u}) {
      for (int round = 0; round < 200; ++round) {
        const uint32_t largest = round % 2 == 0 ? lanes : 60;
        const auto width = static_cast<uint32_t>(kBits + random() % 25);
        const uint64_t above = round % 3 == 0 ? 0 : random() % (uint64_t{1} << (width - kBits));
        const SomeKeys a(random, above << kBits, width, 1 << kBits, largest, lanes);
        const SomeKeys b(random, above << kBits, width, 1 << kBits, largest, lanes);
        const auto radius = static_cast<uint32_t>(random() % 9);
        const auto flip = static_cast<uint32_t>(random()) & kMask;
        const KeyMeeting meeting{a.keys(wide), b.keys(wide), {b.starts.data(), 1 << kBits, lanes}, 64 - width, kMask, flip, radius};
        const uint32_t first = a.count == 0 ? 0 : static_cast<uint32_t>(random() % a.count);

        std::vector<KeyMatch> expected;
        for (uint32_t bucket = 0, i = 0; bucket <= kMask; ++bucket) {
          for (uint32_t each = 0; each < a.sizes[bucket]; ++each, ++i) {
            if (i < first) continue;
            for (uint32_t j = b.starts[bucket ^ flip] / 2; j < b.starts[(bucket ^ flip) + 1] / 2; ++j) {
              const uint32_t apart = distance(a.keys(wide), i, b.keys(wide), j);
              if (apart <= radius) expected.push_back({i, j, apart});
            }
          }
        }
        std::vector<KeyMatch> found;
        std::vector<KeyMatch> matches(round % 5 == 0 ? 60 : 400);
        for (uint32_t begin = first; begin < a.count;) {
          const uint32_t before = begin;
          const size_t count = unit().near_meeting(meeting, &begin, a.count, matches.data(), matches.size());
          ASSERT_GT(begin, before);
          found.insert(found.end(), matches.begin(), matches.begin() + static_cast<ptrdiff_t>(count));
        }
        ASSERT_EQ(found, expected) << unit().name << ", round " << round;
      }
    }
  }
}

TEST_P(KeysKernels, UnpacksWhatWasPacked) {
  std::mt19937_64 random(3);
  for (const bool wide : {false, true}) {
    for (uint32_t stride = wide ? 9 : 1; stride <= (wide ? 16u : 8u); ++stride) {
      for (int round = 0; round < 20; ++round) {
        // At least one bit belongs to the number: of the last byte, or a whole byte less.
        const uint32_t bits = wide ? 128 : 64;
        const uint32_t width = bits - 8 * stride + (8 * stride == bits || random() % 2 == 0 ? 1 + static_cast<uint32_t>(random() % 7) : 0);
        if (width > 63) continue;
        const uint64_t first = width < 8 ? 0 : random() % (uint64_t{1} << (width - 7));
        const auto buckets = static_cast<uint32_t>(width < 8 ? 2 : random() % 60 + 1);
        const SomeKeys some(random, first, width, buckets, 40, 8);
        std::vector<char> packed(some.count * size_t{stride} + kPackedSlack, '\x5A');
        for (size_t i = 0; i < some.count; ++i) {
          const uint64_t kept = ~uint64_t{0} >> width;
          const uint64_t words[2] = {wide ? some.low[i] : some.low_only[i] & kept, some.high[i] & kept};
          std::copy_n(reinterpret_cast<const char*>(words), stride, packed.data() + i * stride);
        }
        // After other keys, which stay.
        std::vector<uint32_t> starts = some.starts;
        for (uint32_t& start : starts) start += 2 * 777;
        std::vector<uint64_t> low(10 + some.count + kKeySlack, 42);
        std::vector<uint64_t> high(low.size(), 42);
        unit().unpack_keys(packed.data(), stride, {starts.data(), buckets, 8}, first, width, low.data() + 10,
                           wide ? high.data() + 10 : nullptr);
        for (size_t i = 0; i < 10; ++i) ASSERT_EQ(low[i] + high[i], 84u);
        for (size_t i = 0; i < some.count; ++i) {
          ASSERT_EQ(low[10 + i], wide ? some.low[i] : some.low_only[i]) << unit().name << ", stride " << stride << ", width " << width;
          if (wide) {
            ASSERT_EQ(high[10 + i], some.high[i]) << unit().name << ", stride " << stride << ", width " << width;
          }
        }
      }
    }
  }
}

TEST_P(KeysKernels, StartsSumUpTheCounts) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t count_bytes = round % 2 == 0 ? 1 : 2;
    const uint32_t lanes = random() % 2 == 0 ? 8 : 16;
    const uint32_t largest = round % 7 == 0 ? 60 : 18;  // 20 is the bound; never more than 255 together
    const uint32_t base = static_cast<uint32_t>(random() % 1'000'000);
    std::vector<uint32_t> expected;
    uint32_t sum = static_cast<uint32_t>(random() % 20);
    std::vector<char> counts(count_bytes, static_cast<char>(sum));
    if (count_bytes == 2) counts[1] = 0;
    bool fits = true;
    for (uint64_t bucket = random() % 56; bucket > 0; --bucket) {
      uint32_t size = random() % 4 != 0 ? 0 : static_cast<uint32_t>(random() % (largest + 1));
      if (sum + size > 255) size = 0;
      expected.push_back(2 * (base + sum) + (size > lanes ? 1 : 0));
      fits = fits && size <= 20;
      sum += size;
      counts.push_back(static_cast<char>(sum));
      if (count_bytes == 2) counts.push_back(0);
    }
    if (round % 11 == 0 && expected.size() > 3 && sum > 30) {  // one that descends
      counts[counts.size() - count_bytes] = 1;
      fits = false;
    }
    std::vector<uint32_t> starts(expected.size());
    ASSERT_EQ(unit().bucket_starts(counts.data() + count_bytes, count_bytes, starts.size(), base, lanes, 20, starts.data()), fits);
    if (fits) {
      ASSERT_EQ(starts, expected) << unit().name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllKernels, KeysKernels, neardup::testing::every_kernel_unit());

}  // namespace
}  // namespace neardup::kernels
