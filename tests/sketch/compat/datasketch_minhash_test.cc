#include "neardup/tools/datasketch_minhash.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace neardup {
namespace {

uint64_t openssl_number(std::string_view token) {
  uint8_t digest[20];
  EXPECT_EQ(EVP_Digest(token.data(), token.size(), digest, nullptr, EVP_sha1(), nullptr), 1);
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i) number |= uint64_t{digest[i]} << (8 * i);
  return number;
}

TEST(DatasketchMinHash, HashesEqualOpenSslForEveryLengthAndOrder) {
  std::mt19937_64 random(1);
  std::vector<std::string> texts;
  for (size_t length = 0; length < 300; ++length) {
    std::string& text = texts.emplace_back();
    for (size_t i = 0; i < length; ++i) text.push_back(static_cast<char>(static_cast<uint8_t>(random())));
  }
  for (size_t count = 0; count <= texts.size(); count = count < 40 ? count + 1 : count + 65) {
    std::shuffle(texts.begin(), texts.end(), random);
    const std::vector<std::string_view> tokens(texts.begin(), texts.begin() + static_cast<ptrdiff_t>(count));
    std::vector<uint32_t> narrow(count);
    std::vector<uint64_t> wide(count);
    datasketch_hashes(tokens, narrow);
    datasketch_hashes(tokens, wide);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(wide[i], openssl_number(tokens[i])) << "length " << tokens[i].size();
      ASSERT_EQ(narrow[i], static_cast<uint32_t>(wide[i]));
    }
  }
}

// Values that datasketch 2.0.0 computed, with the permutations of RandomState(1) for 4 lanes and the token "Hello".
TEST(DatasketchMinHash, SignaturesOfThePackage) {
  const std::vector<std::string_view> tokens = {"Hello"};
  std::vector<uint32_t> narrow(1);
  std::vector<uint64_t> wide(1);
  datasketch_hashes(tokens, narrow);
  datasketch_hashes(tokens, wide);
  const std::vector<uint64_t> half{narrow[0]};
  std::vector<uint32_t> affine32(4, ~uint32_t{0});
  datasketch_affine32(std::vector<uint32_t>{3582191691u, 4270784983u, 1892572953u, 3715639441u},
                      std::vector<uint32_t>{491263u, 550290313u, 1298508491u, 4290846341u}, narrow, affine32);
  EXPECT_EQ(affine32, (std::vector<uint32_t>{3231258861u, 1388533999u, 831950533u, 1845606703u}));
  std::vector<uint64_t> affine64(4, ~uint64_t{0});
  datasketch_affine64(std::vector<uint64_t>{15385396165118722519u, 8128538942144784529u, 4219918138050323u, 11154103013428313355u},
                      std::vector<uint64_t>{2707168392203228096u, 1703346441743126657u, 3435894450290564679u, 6374470260350024188u}, wide,
                      affine64);
  EXPECT_EQ(affine64, (std::vector<uint64_t>{17263807126536662982u, 6203611050164820875u, 4141308390362884389u, 4915270424612038026u}));
  std::vector<uint64_t> legacy(4, 0xFFFFFFFF);
  datasketch_legacy(std::vector<uint64_t>{775169054918279404u, 2109959069025162u, 401325382989534145u, 1130051441076870728u},
                    std::vector<uint64_t>{1758426461858698312u, 965365488286768773u, 1703346441743126657u, 1762784241922636284u}, half,
                    legacy);
  EXPECT_EQ(legacy, (std::vector<uint64_t>{734825475u, 960773806u, 359816889u, 342714745u}));
}

TEST(DatasketchMinHash, NoLaneDependsOnTheirNumber) {
  std::mt19937_64 random(2);
  std::vector<uint32_t> hashes(1100);
  std::generate(hashes.begin(), hashes.end(), [&] { return static_cast<uint32_t>(random()); });
  std::vector<uint32_t> a(200);
  std::vector<uint32_t> b(200);
  std::generate(a.begin(), a.end(), [&] { return static_cast<uint32_t>(random()) | 1; });
  std::generate(b.begin(), b.end(), [&] { return static_cast<uint32_t>(random()); });
  std::vector<uint32_t> all(200, ~uint32_t{0});
  datasketch_affine32(a, b, hashes, all);
  for (size_t lanes = 0; lanes <= all.size(); ++lanes) {
    std::vector<uint32_t> some(lanes, ~uint32_t{0});
    datasketch_affine32(std::span(a).first(lanes), std::span(b).first(lanes), hashes, some);
    ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << lanes;
  }
}

// Sets of many sizes at once give what each gives alone.
template <typename Hash, typename Word, typename Single, typename Many>
void expect_sets(Single single, Many many) {
  std::mt19937_64 random(3);
  std::vector<std::string> texts(3000);
  for (std::string& text : texts) text = std::to_string(random() >> (random() % 64));
  const std::vector<std::string_view> tokens(texts.begin(), texts.end());
  std::vector<size_t> ends;
  for (size_t end = 0; end < tokens.size(); end = std::min(tokens.size(), end + random() % 9 * (random() % 40 == 0 ? 200 : 1)))
    ends.push_back(end);
  ends.push_back(tokens.size());
  constexpr size_t kLanes = 100;
  std::vector<Word> a(kLanes);
  std::vector<Word> b(kLanes);
  std::generate(a.begin(), a.end(), [&] { return static_cast<Word>(random()); });
  std::generate(b.begin(), b.end(), [&] { return static_cast<Word>(random()); });
  for (const uint32_t threads : {1U, 3U}) {
    std::vector<Word> signatures(ends.size() * kLanes, ~Word{0});
    many(a, b, DatasketchSets{tokens, ends}, signatures, threads);
    for (size_t i = 0; i < ends.size(); ++i) {
      const size_t begin = i == 0 ? 0 : ends[i - 1];
      std::vector<Hash> hashes(ends[i] - begin);
      datasketch_hashes(std::span(tokens).subspan(begin, hashes.size()), hashes);
      std::vector<Word> expected(kLanes, ~Word{0});
      single(a, b, std::vector<Word>(hashes.begin(), hashes.end()), expected);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), signatures.begin() + static_cast<ptrdiff_t>(i * kLanes))) << i;
    }
  }
}

TEST(DatasketchMinHash, ManySetsEqualSingleOnes) {
  expect_sets<uint32_t, uint32_t>([](auto&&... args) { datasketch_affine32(args...); },
                                  [](auto&&... args) { datasketch_affine32(args...); });
  expect_sets<uint64_t, uint64_t>([](auto&&... args) { datasketch_affine64(args...); },
                                  [](auto&&... args) { datasketch_affine64(args...); });
  expect_sets<uint32_t, uint64_t>([](auto&&... args) { datasketch_legacy(args...); }, [](auto&&... args) { datasketch_legacy(args...); });
}

}  // namespace
}  // namespace neardup
