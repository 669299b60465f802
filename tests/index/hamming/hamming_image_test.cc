#include "index/hamming/hamming_image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/page_buffer.h"
#include "index/hamming/hamming_access.h"
#include "index/hamming/hamming_build.h"
#include "index/hamming/hamming_search.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_plan.h"
#include "support/codes.h"

namespace neardup {
namespace {

// 5,000 codes share their upper half: a hot bucket.
std::vector<Fingerprint64> hot_codes() {
  auto codes = testing::make_codes<Fingerprint64>(3, 20'000, 3);
  for (size_t i = 0; i < 5'000; ++i) codes[i].low = (codes[i].low & 0xFFFFFFFFu) | uint64_t{0xABCD1234} << 32;
  return codes;
}

void build(const std::vector<Fingerprint64>& codes, HammingIds ids, PageBuffer& image) {
  HammingPlan plan{.bits = 64, .radius = 3};
  plan.blocks = {{0, 14, 1}, {40, 14, 1}};
  build_hamming_image(std::span<const Fingerprint64>(codes), ids, {}, plan, {}, image);
}

TEST(HammingImageTest, AnImageNestedInItselfIsRefused) {
  const auto codes = hot_codes();
  PageBuffer bytes;
  build(codes, HammingIds::kRows, bytes);
  ImageEnd end;
  std::memcpy(&end, bytes.data() + bytes.size() - sizeof end, sizeof end);
  ASSERT_GT(end.hot_count, 0u);
  for (uint64_t i = 0; i < end.hot_count; ++i) {
    HotBucket hot;
    std::memcpy(&hot, bytes.data() + end.hot + i * sizeof hot, sizeof hot);
    hot.image = 0;
    hot.bytes = end.bytes;
    std::memcpy(bytes.data() + end.hot + i * sizeof hot, &hot, sizeof hot);
  }
  const HammingImage<Fingerprint64> image(bytes.data(), bytes.size(), nullptr, "forged");
  HammingSearch<Fingerprint64> search;
  const uint64_t query = image.order().reorder(word_of(codes[0]));
  try {
    search.run(image, std::span(&query, 1), 3);
    FAIL() << "it must not be believed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_NE(std::string(error.what()).find("nested"), std::string::npos) << error.what();
  }
}

TEST(HammingImageTest, AnIndexHasIds) {
  PageBuffer bytes;
  build(hot_codes(), HammingIds::kNone, bytes);
  EXPECT_THROW(HammingIndexAccess::over<Fingerprint64>(nullptr, bytes.data(), bytes.size(), nullptr, "without ids"), Error);
}

}  // namespace
}  // namespace neardup
