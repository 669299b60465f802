// Pieces joined are the stream, whatever its bytes and the limits; a member that is found begins a piece.
#include "io/bytes/stream_cutter.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/decompress.h"
#include "io/bytes/member_start.h"
#include "io/io_fixture.h"
#include "neardup/stop.h"

namespace neardup::testing {
namespace {

using End = StoredPiece::End;

// Gives at most so many bytes at a time, and fails after the last one if `fails`.
class SmallReads final : public ByteStream {
 public:
  SmallReads(std::string_view bytes, size_t step, bool fails = false) : bytes_(bytes), step_(step), fails_(fails) {}
  size_t read(char* to, size_t bytes) override {
    if (fails_ && at_ == bytes_.size()) throw Error(ErrorCode::kInput, "the disk is broken");
    const size_t got = bytes_.substr(at_).copy(to, std::min(bytes, step_));
    at_ += got;
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  const std::string_view bytes_;
  const size_t step_;
  const bool fails_;
  size_t at_ = 0;
};

// Bytes that no format packs well, so that the stored ones are about as many.
std::string noise(size_t bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string made(bytes, '\0');
  for (char& each : made) each = static_cast<char>(random());
  return made;
}

std::string members(size_t count, size_t bytes) {
  std::string stored;
  for (size_t i = 0; i < count; ++i) stored += gzip_bytes(noise(bytes, i));
  return stored;
}

std::vector<StoredPiece> cut_all(Compression compression, std::string_view stored, size_t min_bytes, size_t max_bytes, size_t step) {
  SmallReads stream(stored, step);
  StreamCutter cutter(compression, stream, min_bytes, max_bytes);
  std::vector<StoredPiece> pieces;
  do {
    cutter.cut(pieces.emplace_back());
  } while (pieces.back().end == End::kCut);
  std::string joined;
  for (const StoredPiece& piece : pieces) {
    EXPECT_EQ(piece.ordinal, &piece - pieces.data());
    EXPECT_EQ(piece.offset, joined.size());
    joined += piece.stored.view();
  }
  joined += cutter.take_pending().view();
  EXPECT_EQ(joined, stored.substr(0, joined.size()));
  if (pieces.back().end == End::kStream) {
    EXPECT_EQ(joined.size(), stored.size());
  }
  return pieces;
}

TEST(StreamCutter, CutsWhereMembersBeginAfterTheMinimum) {
  const std::string stored = members(40, 3000);
  for (const size_t step : {size_t{100}, size_t{1} << 20}) {
    for (const size_t min_bytes : {size_t{1}, size_t{5000}, size_t{50'000}, size_t{1} << 20}) {
      const auto pieces = cut_all(Compression::kGzip, stored, min_bytes, 1 << 22, step);
      EXPECT_EQ(pieces.back().end, End::kStream);
      EXPECT_EQ(pieces.size() > 1, min_bytes < stored.size());
      if (min_bytes == 1) {
        EXPECT_GE(pieces.size(), 40U);
      }
      for (const StoredPiece& piece : pieces) {
        EXPECT_TRUE(piece.end == End::kStream || piece.stored.size() >= min_bytes);
        EXPECT_EQ(find_member_start(Compression::kGzip, piece.stored.view(), 0), 0U);
      }
    }
  }
}

TEST(StreamCutter, APieceWithoutACutEndsAtTheMaximum) {
  const std::string stored = gzip_bytes(noise(1 << 20, 1));
  const auto pieces = cut_all(Compression::kGzip, stored, 1000, 300'000, 1 << 20);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].end, End::kUnknown);
  EXPECT_EQ(pieces[0].stored.size(), 2 * kStoredPieceBytes) << "whole reads of a decompressor";
}

TEST(StreamCutter, ABzip2StreamIsNotRead) {
  const auto pieces = cut_all(Compression::kBzip2, "BZh9 and more", 1, 1 << 20, 100);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].end, End::kUnknown);
  EXPECT_EQ(pieces[0].stored.size(), 0U);
}

TEST(StreamCutter, AnErrorLeavesWhatWasReadPending) {
  const std::string stored = members(3, 3000);
  SmallReads stream(stored, 1 << 20, true);
  StreamCutter cutter(Compression::kGzip, stream, stored.size(), 1 << 20);
  StoredPiece piece;
  EXPECT_EQ(error_of([&] { cutter.cut(piece); }), "input: the disk is broken");
  EXPECT_EQ(piece.stored.size(), 0U);
  EXPECT_EQ(cutter.take_pending().view(), stored);

  const StopFunction stop = [] { return true; };
  const StopScope scope(&stop);
  EXPECT_EQ(error_of([&] { cutter.cut(piece); }), "stopped: stopped on request");
  EXPECT_EQ(piece.ordinal, 1U);
}

}  // namespace
}  // namespace neardup::testing
