// The kernels of SimHash, MD5 and Hamming distance, of every instruction set, against definitions bit by bit and OpenSSL.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "neardup/fingerprint.h"
#include "sketch/simhash.h"
#include "support/kernel_test.h"

namespace neardup::kernels {
namespace {

class SimhashKernels : public neardup::testing::KernelTest {};

using Levels = std::array<uint64_t, kCountLevels>;

uint64_t counter(const Levels& levels, size_t bit) {
  uint64_t count = 0;
  for (size_t l = 0; l < levels.size(); ++l) count |= (levels[l] >> bit & 1) << l;
  return count;
}

TEST_P(SimhashKernels, CountsEqualCountingBitByBit) {
  std::mt19937_64 random(1);
  for (const bool second : {false, true}) {
    Levels levels{};
    std::array<uint64_t, 64> expected{};
    // Counters continue from call to call; the sizes lie on both sides of every step of the loops, the last passes a chunk.
    for (const size_t size : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 1000, 600'001}) {
      std::vector<uint64_t> features(size);
      for (uint64_t& feature : features) feature = random() % 8 == 0 ? ~uint64_t{0} : random() & random();
      unit().simhash_count(features.data(), size, second, levels.data());
      for (const uint64_t feature : features) {
        const uint64_t word = second ? simhash_second_word(feature) : feature;
        for (size_t bit = 0; bit < 64; ++bit) expected[bit] += word >> bit & 1;
      }
      for (size_t bit = 0; bit < 64; ++bit) ASSERT_EQ(counter(levels, bit), expected[bit]) << unit().name << ", " << size;
    }
  }
}

TEST_P(SimhashKernels, EveryNumberOfEqualFeatures) {
  for (size_t count = 0; count < 700; ++count) {
    const std::vector<uint64_t> features(count, 0x8000'0000'0000'0005u);
    Levels levels{};
    unit().simhash_count(features.data(), count, false, levels.data());
    for (const size_t bit : {0, 1, 2, 63}) ASSERT_EQ(counter(levels, bit), bit == 1 ? 0 : count) << unit().name;
  }
}

TEST_P(SimhashKernels, SumsEqualAddingBitByBit) {
  std::mt19937_64 random(2);
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  const auto small = [&] { return static_cast<int32_t>(random() % 2001) - 1000; };
  const auto any = [&] { return static_cast<int32_t>(static_cast<uint32_t>(random())); };
  const auto edge = [&] { return std::array{kMin, kMax, 0, -1, 1, kMin + 1, 65535, -65536}[random() % 8]; };
  for (const bool second : {false, true}) {
    std::array<int64_t, 65> sums{};
    std::array<int64_t, 65> expected{};
    for (const size_t size : {0, 1, 2, 255, 256, 257, 1000}) {
      for (int kind = 0; kind < 4; ++kind) {
        std::vector<WeightedFeature> features(size);
        for (WeightedFeature& each : features) {
          each = {random(), kind == 0 ? small() : kind == 1 ? any() : kind == 2 ? edge() : kMin};
        }
        unit().simhash_weigh(features.data(), size, second, sums.data());
        for (const WeightedFeature& feature : features) {
          const uint64_t word = second ? simhash_second_word(feature.hash) : feature.hash;
          for (size_t bit = 0; bit < 64; ++bit) expected[bit] += (word >> bit & 1) != 0 ? feature.weight : 0;
          expected[64] += feature.weight;
        }
        ASSERT_EQ(sums, expected) << unit().name << ", " << size << " features of kind " << kind;
      }
    }
  }
}

// Sums of magnitudes at the border that 32 bits can hold, with all weights of one sign and with both.
TEST_P(SimhashKernels, SumsAtTheBorderOf32Bits) {
  std::mt19937_64 random(6);
  constexpr uint64_t kMaxSum = std::numeric_limits<int32_t>::max();
  for (const uint64_t sum : {kMaxSum - 1, kMaxSum, kMaxSum + 1}) {
    for (size_t size = 1; size <= 40; ++size) {
      for (const bool both_signs : {false, true}) {
        std::vector<WeightedFeature> features(size);
        uint64_t left = sum;
        for (size_t i = 0; i < size; ++i) {
          const uint64_t magnitude = i + 1 < size ? random() % (left / 2 + 1) : left;
          left -= magnitude;
          const int64_t weight = both_signs && random() % 2 == 0 ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
          features[i] = {random() | 1, static_cast<int32_t>(std::min<int64_t>(weight, kMaxSum))};  // the first bit is in all
        }
        std::array<int64_t, 65> sums{};
        std::array<int64_t, 65> expected{};
        unit().simhash_weigh(features.data(), size, false, sums.data());
        for (const WeightedFeature& feature : features) {
          for (size_t bit = 0; bit < 64; ++bit) expected[bit] += (feature.hash >> bit & 1) != 0 ? feature.weight : 0;
          expected[64] += feature.weight;
        }
        ASSERT_EQ(sums, expected) << unit().name << ", " << size << " features";
      }
    }
  }
}

TEST_P(SimhashKernels, Md5EqualsOpenSsl) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    uint32_t words[6 * kMd5Lanes] = {};
    std::vector<std::string> messages(kMd5Lanes);
    for (size_t lane = 0; lane < kMd5Lanes; ++lane) {
      std::string block;
      for (size_t length = (lane + static_cast<size_t>(round)) % (kMd5Bytes + 1); length > 0; --length) {
        block.push_back(static_cast<char>(static_cast<uint8_t>(random())));
      }
      messages[lane] = block;
      block.push_back('\x80');
      block.resize(20);
      for (size_t i = 0; i < 20; ++i) words[i / 4 * kMd5Lanes + lane] |= uint32_t{static_cast<uint8_t>(block[i])} << (8 * (i % 4));
      words[5 * kMd5Lanes + lane] = static_cast<uint32_t>(messages[lane].size() * 8);
    }
    uint32_t digests[4 * kMd5Lanes];
    unit().md5_short(words, digests);
    for (size_t lane = 0; lane < kMd5Lanes; ++lane) {
      uint8_t expected[16];
      ASSERT_EQ(EVP_Digest(messages[lane].data(), messages[lane].size(), expected, nullptr, EVP_md5(), nullptr), 1);
      for (size_t i = 0; i < 16; ++i) {
        ASSERT_EQ(static_cast<uint8_t>(digests[i / 4 * kMd5Lanes + lane] >> (8 * (i % 4))), expected[i])
            << unit().name << ", lane " << lane;
      }
    }
  }
}

TEST_P(SimhashKernels, NearCodesEqualPopcount) {
  std::mt19937_64 random(4);
  for (const uint32_t radius : {0, 1, 2, 3, 7, 31, 32, 63, 64, 65, 100, 127, 128, 200}) {
    for (int round = 0; round < 30; ++round) {
      const uint64_t query_low = random();
      const uint64_t query_high = random();
      std::array<uint64_t, kCodeBlock> low;
      std::array<uint64_t, kCodeBlock> high;
      for (size_t i = 0; i < kCodeBlock; ++i) {
        // Distances around the radius, now and then 0 or all.
        low[i] = query_low;
        high[i] = query_high;
        for (uint64_t flips = random() % (radius + 3); flips > 0; --flips) {
          (random() % 2 == 0 ? low[i] : high[i]) ^= uint64_t{1} << (random() % 64);
        }
        if (random() % 16 == 0) low[i] = ~query_low, high[i] = ~query_high;
      }
      uint64_t expected_64 = 0;
      uint64_t expected_128 = 0;
      for (size_t i = 0; i < kCodeBlock; ++i) {
        const auto below = static_cast<uint32_t>(std::popcount(low[i] ^ query_low));
        expected_64 |= uint64_t{below <= radius} << i;
        expected_128 |= uint64_t{below + static_cast<uint32_t>(std::popcount(high[i] ^ query_high)) <= radius} << i;
      }
      ASSERT_EQ(unit().hamming_near(low.data(), nullptr, query_low, 7, radius), expected_64) << unit().name << ", radius " << radius;
      ASSERT_EQ(unit().hamming_near(low.data(), high.data(), query_low, query_high, radius), expected_128) << unit().name << ", " << radius;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllKernels, SimhashKernels, neardup::testing::every_kernel_unit());

}  // namespace
}  // namespace neardup::kernels
