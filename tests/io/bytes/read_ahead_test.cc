// Decompression in background threads: whatever the stored bytes, the limits and the reads, it gives what the serial decompressor gives.
#include "io/bytes/read_ahead.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "io/io_fixture.h"
#include "neardup/stop.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Compression kFormats[] = {Compression::kGzip, Compression::kZstd, Compression::kBzip2};

struct Result {
  std::string bytes;
  std::string damage;
  uint64_t consumed = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

std::ostream& operator<<(std::ostream& out, const Result& result) {
  return out << result.bytes.size() << " bytes, '" << result.damage << "', consumed " << result.consumed;
}

Result read_all(Decompressor& decompressor, size_t step) {
  Result result;
  uint64_t consumed = 0;
  for (std::string piece(step, '\0');;) {
    const size_t got = decompressor.read(piece.data(), piece.size());
    result.bytes.append(piece, 0, got);
    EXPECT_GE(decompressor.consumed_bytes(), consumed);
    consumed = decompressor.consumed_bytes();
    if (got < piece.size()) break;
  }
  EXPECT_EQ(decompressor.read(result.bytes.data(), 1), 0u);
  result.damage = decompressor.damage();
  result.consumed = decompressor.consumed_bytes();
  return result;
}

Result serially(Compression compression, std::string_view stored) {
  MemoryStream stream(stored);
  Result result = read_all(*make_decompressor(compression, stream), 1000);
  // It does not depend on the reads either.
  MemoryStream again(stored);
  EXPECT_EQ(read_all(*make_decompressor(compression, again), 64), result);
  return result;
}

Result ahead(Compression compression, std::string_view stored, const ReadAheadLimits& limits, size_t step = 1000) {
  MemoryStream stream(stored);
  return read_all(*make_read_ahead(compression, stream, limits), step);
}

ReadAheadLimits small_limits(uint32_t threads, size_t piece = 50) {
  return {.threads = threads,
          .min_piece_bytes = piece,
          .max_piece_bytes = piece * 100,
          .block_bytes = 64,
          .max_queue_bytes = 200,
          .max_held_bytes = 1000};
}

class Streams {
 public:
  explicit Streams(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t end) { return random_() % end; }
  std::string text(size_t most) {
    const size_t size = below(3) == 0 ? below(20) : below(most);
    std::string plain(size, '\0');
    const unsigned kind = static_cast<unsigned>(below(3));
    for (char& c : plain) c = kind == 0 ? 'x' : kind == 1 ? "abcdefgh "[below(9)] : static_cast<char>(random_());
    return plain;
  }
  // Sometimes holds another member as it is, so that a cut seems to be inside of this one.
  std::string member(Compression compression, size_t most) {
    std::string plain = text(most);
    const bool nested = below(4) == 0;
    if (nested) plain.insert(below(plain.size() + 1), member(compression, most / 2));
    if (compression == Compression::kGzip) return gzip_bytes(plain, nested ? 0 : static_cast<int>(below(10)));
    if (compression == Compression::kBzip2) return bzip2_bytes(plain);
    if (below(5) == 0) {
      const auto size = static_cast<uint32_t>(plain.size());
      return std::string("\x5A\x2A\x4D\x18", 4) + std::string(reinterpret_cast<const char*>(&size), 4) + plain;
    }
    return zstd(plain);
  }
  std::string stream(Compression compression, size_t most) {
    std::string stored;
    for (uint64_t count = below(12); count > 0; --count) {
      stored += member(compression, most);
      if (below(30) == 0) stored += std::string(below(30), '\0');
      if (below(40) == 0) stored += text(40);
    }
    if (below(4) == 0) stored += std::string(below(100), '\0');
    if (below(5) == 0) stored += text(40);
    if (below(3) == 0 && !stored.empty()) stored.resize(below(stored.size()));
    if (below(2) == 0 && !stored.empty()) stored[below(stored.size())] ^= static_cast<char>(1u << below(8));
    return stored;
  }

 private:
  std::string zstd(std::string_view plain) {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, static_cast<int>(below(2)));
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, static_cast<int>(below(2)));
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 10);
    std::string out(ZSTD_compressBound(plain.size()) + plain.size() / 50 + 100, '\0');
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    ZSTD_inBuffer from{plain.data(), plain.size(), 0};
    EXPECT_EQ(ZSTD_compressStream2(context, &to, &from, ZSTD_e_end), 0u);
    ZSTD_freeCCtx(context);
    out.resize(to.pos);
    return out;
  }

  std::mt19937_64 random_;
};

TEST(ReadAhead, GivesWhatTheSerialDecompressorGives) {
  Streams streams(1);
  for (int round = 0; round < 600; ++round) {
    const Compression compression = kFormats[static_cast<size_t>(round) % 3];
    const std::string stored = streams.stream(compression, round % 10 == 0 ? 20'000 : 800);
    const Result expected = serially(compression, stored);
    const ReadAheadLimits limits = small_limits(1 + static_cast<uint32_t>(streams.below(5)), 1 + streams.below(300));
    ASSERT_EQ(ahead(compression, stored, limits, 1 + streams.below(3000)), expected) << round << " " << name_of(compression);
  }
}

// The reads of the serial decompressor end at multiples of kStoredPieceBytes: consumed_bytes() tells.
TEST(ReadAhead, LargeStreamsToo) {
  Streams streams(2);
  for (int round = 0; round < 15; ++round) {
    const Compression compression = kFormats[static_cast<size_t>(round) % 2];
    std::string stored = streams.member(compression, 400'000);
    while (stored.size() < 1'500'000) stored += streams.member(compression, 400'000);
    if (round % 3 != 0) stored[streams.below(stored.size())] ^= 4;
    if (round % 5 == 0) stored.resize(streams.below(stored.size()));
    ReadAheadLimits limits = small_limits(4, 1 + streams.below(500'000));
    limits.block_bytes = 1 + streams.below(100'000);
    limits.max_held_bytes = limits.max_queue_bytes = 300'000;
    ASSERT_EQ(ahead(compression, stored, limits, 50'000), serially(compression, stored)) << round;
  }
}

TEST(ReadAhead, DefaultLimits) {
  Streams streams(3);
  for (const Compression compression : kFormats) {
    std::string stored;
    while (stored.size() < 2'500'000) stored += streams.member(compression, 1'000'000);
    EXPECT_EQ(ahead(compression, stored, {}, 70'000), serially(compression, stored));
    stored[2'000'000] ^= 4;
    EXPECT_EQ(ahead(compression, stored, {}, 70'000), serially(compression, stored));
  }
}

TEST(ReadAhead, CutAnywhere) {
  Streams streams(4);
  for (const Compression compression : kFormats) {
    std::string stored;
    while (stored.size() < 300) stored += streams.member(compression, 150);
    stored += std::string(5, '\0');
    for (size_t size = 0; size <= stored.size(); ++size) {
      const std::string_view cut = std::string_view(stored).substr(0, size);
      ASSERT_EQ(ahead(compression, cut, small_limits(size % 2 == 0 ? 3 : 4)), serially(compression, cut))
          << name_of(compression) << " " << size;
    }
  }
}

TEST(ReadAhead, CorruptAnywhere) {
  Streams streams(5);
  for (const Compression compression : kFormats) {
    std::string stored;
    while (stored.size() < 300) stored += streams.member(compression, 150);
    for (size_t at = 0; at < stored.size(); ++at) {
      std::string wrong = stored;
      wrong[at] ^= static_cast<char>(1u << streams.below(8));
      ASSERT_EQ(ahead(compression, wrong, small_limits(at % 2 == 0 ? 3 : 4)), serially(compression, wrong))
          << name_of(compression) << " " << at;
    }
  }
}

// A member that holds members: every cut in it is wrong.
TEST(ReadAhead, MembersInsideOfAMember) {
  std::string inner;
  for (int i = 0; i < 200; ++i) inner += gzip_bytes("member " + std::to_string(i));
  const std::string stored = gzip_bytes("before") + gzip_bytes(inner, 0) + gzip_bytes("after");
  const Result result = ahead(Compression::kGzip, stored, small_limits(4));
  EXPECT_EQ(result.bytes, "before" + inner + "after");
  EXPECT_EQ(result.damage, "");
}

TEST(ReadAhead, MessagesCountAllBytes) {
  const std::string good = gzip_bytes(std::string(1000, 'a'));
  EXPECT_EQ(ahead(Compression::kGzip, good + good + good.substr(0, good.size() - 1), small_limits(3, 10)).damage,
            "gzip stream is truncated after 3000 bytes");
  EXPECT_EQ(ahead(Compression::kGzip, good + good + "garbage", small_limits(3, 10)).damage,
            "gzip stream is followed by something else after 2000 bytes");
  EXPECT_EQ(ahead(Compression::kGzip, good + std::string(9, '\0') + good, small_limits(3, 10)).damage,
            "gzip stream is followed by something else after 1000 bytes");
}

// Gives few bytes at a time, then throws; or waits for a request to stop.
class UnreliableStream final : public ByteStream {
 public:
  UnreliableStream(std::string bytes, bool waits) : bytes_(std::move(bytes)), waits_(waits) {}
  size_t read(char* to, size_t bytes) override {
    const size_t got = bytes_.copy(to, std::min<size_t>(bytes, 7), at_);
    at_ += got;
    while (got == 0) {
      if (!waits_) throw Error(ErrorCode::kInput, "the disk fails");
      check_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  const std::string bytes_;
  const bool waits_;
  size_t at_ = 0;
};

TEST(ReadAhead, ErrorsOfTheStreamAreThrown) {
  for (const Compression compression : kFormats) {
    UnreliableStream stream(Streams(6).member(compression, 5000), false);
    const auto decompressor = make_read_ahead(compression, stream, small_limits(3));
    char byte = 0;
    const auto read_on = [&] {
      while (decompressor->read(&byte, 1) == 1) {
      }
    };
    EXPECT_THROW(read_on(), Error);
    EXPECT_THROW(read_on(), Error);
  }
}

TEST(ReadAhead, EndsAtOnceWhileTheStreamWaits) {
  UnreliableStream stream(gzip_bytes(std::string(5000, 'a')), true);
  const auto decompressor = make_read_ahead(Compression::kGzip, stream, small_limits(3));
}

TEST(ReadAhead, TheReaderIsStopped) {
  UnreliableStream stream(gzip_bytes(std::string(5000, 'a')), true);
  const auto decompressor = make_read_ahead(Compression::kGzip, stream, small_limits(3));
  std::atomic<int> asked = 0;
  const StopFunction stop = [&] { return ++asked > 2; };
  const StopScope scope(&stop);
  std::string bytes(10'000, '\0');
  EXPECT_THROW(decompressor->read(bytes.data(), bytes.size()), Error);
}

// 20 GB in a few bytes: only a queue of them is held, and nobody waits for the rest.
TEST(ReadAhead, BombsAreReadInSteps) {
  const std::string hundred_mb = zstd_bytes(std::string(100u << 20, '\0'));
  std::string stored;
  for (int i = 0; i < 200; ++i) stored += hundred_mb;
  for (const size_t piece : {size_t{1}, stored.size()}) {
    MemoryStream stream(stored);
    ReadAheadLimits limits;
    limits.threads = 4;
    limits.min_piece_bytes = piece;
    const auto decompressor = make_read_ahead(Compression::kZstd, stream, limits);
    std::string bytes(1u << 20, 'x');
    for (int i = 0; i < 120; ++i) ASSERT_EQ(decompressor->read(bytes.data(), bytes.size()), bytes.size());
    EXPECT_EQ(bytes.find_first_not_of('\0'), std::string::npos);
  }
}

}  // namespace
}  // namespace neardup::testing
