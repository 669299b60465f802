#include "index/anchors/anchor_image.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "support/posting_lists.h"

namespace neardup {
namespace {

using testing::image_of;
using testing::Postings;
using testing::postings_of;
using testing::PostingShape;
using testing::random_postings;

constexpr uint64_t kGreatestHash = (uint64_t{1} << kAnchorHashBits) - 1;

AnchorImage view_of(const std::string& bytes) {
  return {bytes.data(), bytes.size(), nullptr, "'a.image'"};
}

std::vector<Posting> all_of(const AnchorImage& image) {
  std::vector<Posting> all;
  image.for_each([&](const Posting& posting) { all.push_back(posting); });
  return all;
}

std::vector<Posting> found(const AnchorImage& image, uint64_t hash) {
  std::vector<Posting> list;
  for (AnchorImage::Cursor cursor(image, image.find(hash)); !cursor.done(); cursor.next()) {
    list.push_back({hash, cursor.text(), cursor.context()});
  }
  return list;
}

void expect_same(const Postings& postings, uint64_t expected) {
  const std::string bytes = image_of(postings, expected);
  const AnchorImage image = view_of(bytes);
  EXPECT_EQ(image.postings(), postings.size());
  EXPECT_EQ(all_of(image), std::vector<Posting>(postings.begin(), postings.end()));
  uint64_t lists = 0;
  uint64_t limit = 0;
  for (auto at = postings.begin(); at != postings.end(); at = postings.lower_bound({at->hash + 1, 0, 0})) {
    const std::vector<Posting> list = postings_of(postings, at->hash);
    ASSERT_EQ(image.find(at->hash).count, list.size());
    ASSERT_EQ(found(image, at->hash), list);
    for (const uint64_t other : {at->hash - 1, at->hash + 1}) {
      ASSERT_EQ(image.find(other).count, other > kGreatestHash ? 0 : postings_of(postings, other).size());
    }
    limit = std::max<uint64_t>(limit, uint64_t{list.back().text} + 1);
    ++lists;
  }
  EXPECT_EQ(image.lists(), lists);
  EXPECT_EQ(image.text_limit(), limit);
}

TEST(AnchorImage, HasThePostingsThatWereAdded) {
  const PostingShape shapes[] = {
      {.count = 10, .hashes = 10, .texts = 10},
      {.count = 2000, .hashes = 5000, .texts = 1 << 23},
      {.count = 3000, .hashes = 300, .texts = kMaxPostingText, .contexts = 3},
      {.count = 5000, .hashes = 2000, .texts = 5000, .skew = 5},
      {.count = 6000, .hashes = 7, .texts = 1'000'000, .contexts = 20},
      {.count = 6000, .hashes = 2, .texts = 9},
      {.count = 4000, .hashes = 9, .texts = 100'000, .contexts = 1, .skew = 2},
  };
  uint64_t seed = 1;
  for (const PostingShape& shape : shapes) {
    const Postings postings = random_postings(shape, ++seed);
    for (const uint64_t expected : {uint64_t{postings.size()}, uint64_t{0}, uint64_t{20 * postings.size()}})
      expect_same(postings, expected);
  }
}

TEST(AnchorImage, HasListsOfEveryLength) {
  for (const uint32_t count : {1u, 2u, 7u, 8u, 9u, 127u, 128u, 129u, 255u, 256u, 257u, 1000u}) {
    for (const uint32_t contexts : {1u, 2u, 100u}) {
      Postings postings;
      for (uint32_t i = 0; i < count; ++i) {
        postings.insert({5, i * 3, static_cast<uint16_t>(i % contexts)});
        postings.insert({6, i / 40, static_cast<uint16_t>(i % 40 * contexts)});
        postings.insert({kGreatestHash, kMaxPostingText - i, 0});
      }
      expect_same(postings, 3 * count);
    }
  }
}

TEST(AnchorImage, HasTheLimits) {
  expect_same({}, 0);
  expect_same({}, 100'000);
  expect_same({{0, 0, 0}}, 1);
  expect_same({{kGreatestHash, kMaxPostingText, (1 << kContextBits) - 1}}, 1);
  expect_same({{0, kMaxPostingText, 0}, {0, kMaxPostingText, 1}, {kGreatestHash, 0, 0}}, 3);
  const std::string empty = image_of({}, 0);
  EXPECT_EQ(view_of(empty).find(uint64_t{1} << kAnchorHashBits).count, 0);
  EXPECT_EQ(view_of(empty).find(UINT64_MAX).count, 0);
}

TEST(AnchorImage, HasALongListOfAMillion) {
  testing::StringSink sink;
  AnchorImageWriter writer(sink, 1 << 20);
  for (uint32_t i = 0; i < 1 << 20; ++i) writer.add({77, i * 5, static_cast<uint16_t>(i % 6)});
  writer.finish();
  const AnchorImage image = view_of(sink.bytes());
  AnchorImage::Cursor cursor(image, image.find(77));
  for (uint32_t i = 0; i < 1 << 20; ++i, cursor.next()) {
    ASSERT_EQ(cursor.text(), i * 5);
    ASSERT_EQ(cursor.context(), i % 6);
  }
  EXPECT_TRUE(cursor.done());
  EXPECT_LT(sink.size(), (1 << 13) * 137) << "a block of 128 with its skips: gaps of 4 bits, contexts of 3, and 6 of these";
}

TEST(AnchorImage, SeeksToTheFirstPostingFromATextOn) {
  std::mt19937_64 random(5);
  for (const PostingShape& shape : {PostingShape{.count = 20, .texts = 40, .contexts = 3}, PostingShape{.count = 100, .texts = 1000},
                                    PostingShape{.count = 5000, .texts = 100'000}, PostingShape{.count = 5000, .texts = 60}}) {
    const Postings postings = random_postings(shape, random());
    const std::vector<Posting> list(postings.begin(), postings.end());
    const std::string bytes = image_of(postings, list.size());
    const AnchorImage image = view_of(bytes);
    for (int run = 0; run < 200; ++run) {
      AnchorImage::Cursor cursor(image, image.find(list[0].hash));
      auto at = list.begin();
      const uint64_t stride = 1 + random() % (uint64_t{1} << random() % 18);
      for (uint64_t text = 0; at != list.end();) {
        if (random() % 4 == 0) {
          ++at;
          cursor.next();
        } else {
          text = random() % 10 == 0 ? random() % shape.texts : at->text + random() % stride;
          if (text > kMaxPostingText) text = kMaxPostingText;
          while (at != list.end() && at->text < text) ++at;
          cursor.seek(static_cast<uint32_t>(text));
        }
        ASSERT_EQ(cursor.done(), at == list.end());
        if (at == list.end()) break;
        ASSERT_EQ(cursor.text(), at->text);
        ASSERT_EQ(cursor.context(), at->context);
      }
    }
  }
}

TEST(AnchorImage, NeedsNoMoreBytesForAListThatIsSpreadEvenly) {
  // 2^16 texts with 23 bits, each gram once: 23 bits, 12 of context, and the hash.
  const Postings postings = random_postings({.count = 1 << 16, .hashes = 1 << 16, .texts = 1 << 23}, 3);
  EXPECT_LT(static_cast<double>(image_of(postings, postings.size()).size()) / static_cast<double>(postings.size()), 7.5);
}

// Calls everything; errors must be of the one kind, and name the file.
void use(const char* begin, size_t size, const Postings& postings) {
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      EXPECT_EQ(std::string(error.what()).find("'a.image': "), 0) << error.what();
    }
  };
  attempt([&] {
    const AnchorImage image(begin, size, nullptr, "'a.image'");
    attempt([&] { (void)all_of(image); });
    uint64_t last = kGreatestHash + 1;
    for (const Posting& posting : postings) {
      if (posting.hash == last) continue;
      last = posting.hash;
      attempt([&] { (void)found(image, posting.hash); });
      attempt([&] {
        AnchorImage::Cursor cursor(image, image.find(posting.hash));
        for (uint64_t text = 0; !cursor.done() && text < 1 << 20; text += 1 + text / 2) cursor.seek(static_cast<uint32_t>(text));
      });
    }
  });
}

TEST(AnchorImage, SurvivesEveryFlippedBitAndEveryCut) {
  Postings postings = random_postings({.count = 60, .hashes = 30, .texts = 1 << 20, .contexts = 9, .skew = 1}, 8);
  for (uint32_t i = 0; i < 300; ++i) postings.insert({uint64_t{1} << 34, i * 7, static_cast<uint16_t>(i % 5)});
  for (uint32_t i = 0; i < 20; ++i) postings.insert({uint64_t{1} << 35, i * i, static_cast<uint16_t>(i % 3)});
  for (const uint64_t expected : {0, 400}) {
    const std::string good = image_of(postings, expected);
    // Of exactly this size, so that a sanitizer sees the first byte outside.
    const auto bytes = std::make_unique<char[]>(good.size());
    std::copy(good.begin(), good.end(), bytes.get());
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
      use(bytes.get(), good.size(), postings);
      bytes[bit / 8] = good[bit / 8];
    }
    for (size_t size = 0; size < good.size(); size += 1 + size / 8) {
      const auto cut = std::make_unique<char[]>(size);
      std::copy_n(good.begin(), size, cut.get());
      use(cut.get(), size, postings);
      std::copy_n(good.end() - static_cast<ptrdiff_t>(size), size, cut.get());
      use(cut.get(), size, postings);
    }
  }
}

TEST(AnchorImage, SurvivesRandomBytesUnderAGoodTrailer) {
  std::mt19937_64 random(11);
  const Postings postings = random_postings({.count = 900, .hashes = 60, .texts = 1 << 20, .contexts = 9, .skew = 3}, 8);
  const std::string good = image_of(postings, postings.size());
  const auto bytes = std::make_unique<char[]>(good.size());
  for (int run = 0; run < 300; ++run) {
    std::copy(good.begin(), good.end(), bytes.get());
    for (uint64_t edits = uint64_t{1} << random() % 8; edits > 0; --edits) {
      const size_t at = random() % (good.size() - sizeof(anchor_format::Trailer));
      const size_t length = std::min<size_t>(random() % 16, good.size() - sizeof(anchor_format::Trailer) - at);
      const int kind = static_cast<int>(random() % 3);
      for (size_t i = 0; i < length; ++i) bytes[at + i] = static_cast<char>(kind == 0 ? 0 : kind == 1 ? 0xFF : random());
    }
    use(bytes.get(), good.size(), postings);
  }
}

// A guard that finds one block damaged.
class DamagedBlock final : public BlockGuard {
 public:
  DamagedBlock(const std::string& bytes, size_t block) : BlockGuard(bytes.data(), bytes.size()), block_(block) {}

 private:
  void verify(size_t block) const override {
    if (block == block_) throw Error(ErrorCode::kInput, "damaged");
  }
  size_t block_;
};

TEST(AnchorImage, NothingIsReturnedFromBytesThatAreNotVerified) {
  const Postings postings = random_postings({.count = 60'000, .hashes = 9000, .texts = 1 << 23, .skew = 3}, 8);
  const std::string good = image_of(postings, postings.size());
  const size_t blocks = (good.size() + BlockGuard::kBlockBytes - 1) / BlockGuard::kBlockBytes;
  ASSERT_GT(blocks, 8);
  for (size_t block = 0; block < blocks; ++block) {
    // The damaged block has other bytes, too: what is found in spite of them did not need them.
    std::string bytes = good;
    for (size_t i = block * BlockGuard::kBlockBytes; i < std::min(bytes.size(), (block + 1) * BlockGuard::kBlockBytes); ++i) {
      bytes[i] = static_cast<char>(bytes[i] ^ 0x5A);
    }
    const DamagedBlock guard(bytes, block);
    size_t refused = 0;
    size_t lists = 0;
    try {
      const AnchorImage image(bytes.data(), bytes.size(), &guard, "'a.image'");
      EXPECT_THROW((void)all_of(image), Error);
      for (auto at = postings.begin(); at != postings.end(); at = postings.lower_bound({at->hash + 1, 0, 0})) {
        ++lists;
        try {
          ASSERT_EQ(found(image, at->hash), postings_of(postings, at->hash));
        } catch (const Error& error) {
          ASSERT_STREQ(error.what(), "damaged");
          ++refused;
        }
      }
      EXPECT_GT(refused, 0);
      EXPECT_LT(refused, lists);
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "damaged");
      EXPECT_EQ(block, blocks - 1) << "the trailer";
    }
  }
}

TEST(AnchorImage, NamesWhatIsWrong) {
  const auto message_of = [](const std::string& bytes) -> std::string {
    try {
      (void)view_of(bytes);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const std::string good = image_of({{1, 2, 3}}, 1);
  EXPECT_EQ(message_of(good), "none");
  EXPECT_EQ(message_of("abc"), "'a.image': 3 bytes are not an index of anchors");
  EXPECT_EQ(message_of(std::string(200, 'x')), "'a.image': no index of anchors ends here");
  EXPECT_EQ(message_of("x" + good), "'a.image': the index of anchors states a size of " + std::to_string(good.size()) + " bytes, but has " +
                                        std::to_string(good.size() + 1));
  std::string other = good;
  other[other.size() - 16] = 9;
  EXPECT_EQ(message_of(other), "'a.image': index of anchors of version 9, this program reads version 1");
}

// The bytes were read back by a reader in Python that follows docs/formats.md and shares no code with this one.
TEST(AnchorImage, HasTheBytesThatAreDocumented) {
  constexpr uint64_t kMiddle = uint64_t{1} << 31;
  Postings postings = {{0, 3, 1}, {0, 9, 1}, {1 << 20, 2, 3}, {kMiddle, 1, 7}, {kMiddle, 6, 2}, {kMiddle, 6, 7}};
  for (uint32_t i = 0; i < 8; ++i) postings.insert({kMiddle + 1, i * i, static_cast<uint16_t>(i % 3 != 0 ? 5 : i)});
  for (uint32_t i = 0; i < 129; ++i) postings.insert({kGreatestHash, i, 4095});
  std::string hexadecimal;
  for (const char byte : image_of(postings, 129)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hexadecimal += kDigits[static_cast<uint8_t>(byte) >> 4];
    hexadecimal += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  EXPECT_EQ(hexadecimal,
            "2608000000f4ffff014c0c803200a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0afe1fc0ff7f7f0000"
            "008000000023000000002600000000c4300000007000000080c0feffff0f1848f103200009babb2b89b0006c0160000c80060000000000"
            "000000000000000000a3dbed76bbdd6eb7dbed76bbdd6eb7dbed76bbdd6eb7dbed76bbdd6eb7dbed76bbdd6eb7dbed76bbdd6eb7dbed76"
            "bbdd6eb7dbed76bbdd8f00000000000000050000000000000081000000000000006e00000000000000ee00000000000000010000000700"
            "0000010000000000000044414e43484f5231");
}

TEST(AnchorImage, DependsOnThePostingsAndTheExpectedNumberOnly) {
  const Postings postings = random_postings({.count = 3000, .hashes = 900, .texts = 1 << 23, .skew = 3}, 8);
  testing::StringSink later;
  later.append("what was in the sink before");
  AnchorImageWriter writer(later, 5000);
  for (const Posting& posting : postings) writer.add(posting);
  writer.finish();
  EXPECT_EQ(later.bytes(), "what was in the sink before" + image_of(postings, 5000));
}

}  // namespace
}  // namespace neardup
