// The kernels of the package datasketch, of every instruction set: SHA-1 against OpenSSL, the permutations against their definitions.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/kernel_test.h"

namespace neardup::kernels {
namespace {

class DatasketchKernels : public neardup::testing::KernelTest {};

TEST_P(DatasketchKernels, Sha1EqualsOpenSsl) {
  std::mt19937_64 random(1);
  for (size_t round = 0; round < 60; ++round) {
    // In memory of their own size, so that a sanitizer sees reads beyond them.
    std::vector<std::vector<char>> messages(kSha1Lanes);
    const char* places[kSha1Lanes];
    uint8_t sizes[kSha1Lanes];
    for (size_t lane = 0; lane < kSha1Lanes; ++lane) {
      for (size_t length = (lane * 7 + round) % (kSha1Bytes + 1); length > 0; --length) {
        messages[lane].push_back(static_cast<char>(static_cast<uint8_t>(random())));
      }
      messages[lane].shrink_to_fit();
      places[lane] = messages[lane].data();
      sizes[lane] = static_cast<uint8_t>(messages[lane].size());
    }
    uint64_t numbers[kSha1Lanes];
    unit().sha1_short(places, sizes, numbers);
    for (size_t lane = 0; lane < kSha1Lanes; ++lane) {
      uint8_t digest[20];
      ASSERT_EQ(EVP_Digest(messages[lane].data(), messages[lane].size(), digest, nullptr, EVP_sha1(), nullptr), 1);
      uint64_t expected = 0;
      for (size_t i = 0; i < 8; ++i) expected |= uint64_t{digest[i]} << (8 * i);
      ASSERT_EQ(numbers[lane], expected) << unit().name << ", lane " << lane;
    }
  }
}

// Words of every size, with many at the edges of the arithmetic.
template <typename Word>
std::vector<Word> edge_words(std::mt19937_64& random, size_t count) {
  const uint64_t prime = (uint64_t{1} << 61) - 1;
  const uint64_t edges[] = {0, 1, 2, ~uint64_t{0}, prime, prime - 1, prime + 1, 8 * prime, uint64_t{1} << 32, (uint64_t{1} << 32) - 1};
  std::vector<Word> words(count);
  for (Word& word : words) {
    const uint64_t any = random();
    word = static_cast<Word>(any % 4 == 0 ? edges[any / 4 % std::size(edges)] : random() >> (any / 4 % 64));
  }
  return words;
}

template <typename Word, typename Kernel, typename Definition>
void expect_minima(Kernel kernel, Definition definition) {
  std::mt19937_64 random(2);
  for (const size_t lanes : {kLaneBlock, 3 * kLaneBlock}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{5}, size_t{300}}) {
      const auto a = edge_words<Word>(random, lanes);
      const auto b = edge_words<Word>(random, lanes);
      const auto hashes = edge_words<Word>(random, count);
      auto minima = edge_words<Word>(random, lanes);
      auto expected = minima;
      for (size_t lane = 0; lane < lanes; ++lane) {
        for (const Word hash : hashes) expected[lane] = std::min<Word>(expected[lane], definition(a[lane], b[lane], hash));
      }
      kernel(a.data(), b.data(), hashes.data(), count, minima.data(), lanes);
      ASSERT_EQ(minima, expected) << lanes << " lanes, " << count << " hashes";
    }
  }
}

TEST_P(DatasketchKernels, PermutationsEqualTheirDefinitions) {
  SCOPED_TRACE(unit().name);
  expect_minima<uint32_t>(unit().affine32, [](uint32_t a, uint32_t b, uint32_t h) { return a * h + b; });
  expect_minima<uint64_t>(unit().affine64, [](uint64_t a, uint64_t b, uint64_t h) { return a * h + b; });
  expect_minima<uint64_t>(unit().mersenne,
                          [](uint64_t a, uint64_t b, uint64_t h) { return (a * h + b) % ((uint64_t{1} << 61) - 1) & 0xFFFFFFFF; });
}

INSTANTIATE_TEST_SUITE_P(All, DatasketchKernels, neardup::testing::every_kernel_unit());

}  // namespace
}  // namespace neardup::kernels
