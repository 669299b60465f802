#include "server/http/body_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/compressed.h"

namespace neardup::server {
namespace {

using Result = BodyDecoder::Result;

struct Decoded {
  Result result = Result::kGood;
  std::string body;
};

/// Adds the bytes in pieces of this size.
Decoded decode(BodyEncoding encoding, uint64_t max_bytes, std::string_view sent, size_t piece) {
  BodyDecoder decoder(encoding, max_bytes, 0);
  Decoded decoded;
  while (!sent.empty() && decoded.result == Result::kGood) {
    decoded.result = decoder.add(sent.substr(0, piece));
    sent.remove_prefix(std::min(piece, sent.size()));
  }
  if (decoded.result == Result::kGood) decoded.result = decoder.finish();
  decoded.body = decoder.take();
  return decoded;
}

std::string text_of(size_t size) {
  std::string text;
  for (size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i % 7919) + (i % 5 == 0 ? "\n" : " ");
  text.resize(size);
  return text;
}

std::string compressed(BodyEncoding encoding, std::string_view text) {
  return encoding == BodyEncoding::kGzip ? neardup::testing::gzip_member(text) : neardup::testing::zstd_frame(text);
}

const std::vector<BodyEncoding> kCompressed = {BodyEncoding::kGzip, BodyEncoding::kZstd};

TEST(BodyDecoder, DecodesInPiecesOfAnySize) {
  for (const size_t size : {0UL, 1UL, 16383UL, 16384UL, 16385UL, 200'000UL}) {
    const std::string text = text_of(size);
    for (const BodyEncoding encoding : kCompressed) {
      const std::string sent = compressed(encoding, text);
      for (const size_t piece : {1UL, 7UL, 1000UL, sent.size()}) {
        const Decoded decoded = decode(encoding, size, sent, piece);
        EXPECT_EQ(decoded.result, Result::kGood) << size << " " << piece;
        EXPECT_EQ(decoded.body, text);
      }
    }
    EXPECT_EQ(decode(BodyEncoding::kIdentity, size, text, 1000).body, text);
  }
}

TEST(BodyDecoder, JoinsMembersAndFrames) {
  for (const BodyEncoding encoding : kCompressed) {
    const std::string sent = compressed(encoding, "one ") + compressed(encoding, "") + compressed(encoding, "two");
    for (const size_t piece : {1UL, 5UL, sent.size()}) {
      const Decoded decoded = decode(encoding, 7, sent, piece);
      EXPECT_EQ(decoded.result, Result::kGood);
      EXPECT_EQ(decoded.body, "one two");
    }
  }
}

TEST(BodyDecoder, RefusesEveryCut) {
  for (const BodyEncoding encoding : kCompressed) {
    const std::string sent = compressed(encoding, text_of(300));
    for (size_t size = 0; size < sent.size(); ++size) {
      EXPECT_EQ(decode(encoding, 1000, sent.substr(0, size), 64).result, Result::kDamaged) << size;
    }
  }
}

TEST(BodyDecoder, RefusesWhatFollows) {
  for (const BodyEncoding encoding : kCompressed) {
    const std::string sent = compressed(encoding, "text");
    for (const std::string& garbage : {std::string("x"), std::string(8, '\0'), std::string("garbage that is longer"), sent.substr(0, 3)}) {
      EXPECT_EQ(decode(encoding, 1000, sent + garbage, 1).result, Result::kDamaged);
      EXPECT_EQ(decode(encoding, 1000, sent + garbage, 1000).result, Result::kDamaged);
    }
  }
  EXPECT_EQ(decode(BodyEncoding::kGzip, 1000, compressed(BodyEncoding::kZstd, "text"), 1000).result, Result::kDamaged);
  EXPECT_EQ(decode(BodyEncoding::kZstd, 1000, "{\"text\":\"plain\"}", 1000).result, Result::kDamaged);
}

TEST(BodyDecoder, RefusesFlippedBits) {
  const std::string text = text_of(2000);
  for (const BodyEncoding encoding : kCompressed) {
    const std::string sent = compressed(encoding, text);
    for (size_t bit = 0; bit < sent.size() * 8; bit += 3) {
      std::string flipped = sent;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const Decoded decoded = decode(encoding, 4000, flipped, 500);
      // Some bits of a gzip header mean nothing; what is decoded is never wrong, since both have checksums.
      if (decoded.result == Result::kGood) {
        EXPECT_EQ(decoded.body, text);
      }
    }
  }
}

TEST(BodyDecoder, BoundIsExact) {
  const std::string text = text_of(50'000);
  for (const BodyEncoding encoding : {BodyEncoding::kIdentity, BodyEncoding::kGzip, BodyEncoding::kZstd}) {
    const std::string sent = encoding == BodyEncoding::kIdentity ? text : compressed(encoding, text);
    EXPECT_EQ(decode(encoding, text.size(), sent, 1000).result, Result::kGood);
    EXPECT_EQ(decode(encoding, text.size() - 1, sent, 1000).result, Result::kTooLarge);
    EXPECT_EQ(decode(encoding, 0, sent, 1000).result, Result::kTooLarge);
  }
}

TEST(BodyDecoder, HoldsNoMoreThanTheBoundOfABomb) {
  constexpr uint64_t kMax = 3'000'000;
  for (const BodyEncoding encoding : kCompressed) {
    const std::string sent = compressed(encoding, std::string(16 << 20, '\0'));
    ASSERT_LT(sent.size(), 100'000U);
    const Decoded decoded = decode(encoding, kMax, sent, 100);
    EXPECT_EQ(decoded.result, Result::kTooLarge);
    EXPECT_LE(decoded.body.capacity(), kMax);
  }
}

// A frame may ask for a window of two gigabytes before its first byte.
TEST(BodyDecoder, RefusesHugeZstdWindows) {
  EXPECT_EQ(decode(BodyEncoding::kZstd, 1000, neardup::testing::zstd_frame("text", 23), 1000).body, "text");
  EXPECT_EQ(decode(BodyEncoding::kZstd, 1000, neardup::testing::zstd_frame("text", 24), 1000).result, Result::kDamaged);
  EXPECT_EQ(decode(BodyEncoding::kZstd, 1000, neardup::testing::zstd_frame("text", 31), 1000).result, Result::kDamaged);
}

}  // namespace
}  // namespace neardup::server
