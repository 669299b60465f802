// Each format is a class derived from BufferedDecompressor, which has the shared parts.
#include "io/bytes/decompress.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {
namespace {

constexpr size_t kMaxStepBytes = 1u << 30;  // zlib and bzip2 count in 32 bits
constexpr size_t kBzip2WindowBytes = 64u << 10;

// The input buffer, the end of one stream and the beginning of the next, padding, damage.
class BufferedDecompressor : public Decompressor {
 public:
  size_t read(char* to, size_t bytes) final;
  [[nodiscard]] const std::string& damage() const noexcept final { return damage_; }
  [[nodiscard]] uint64_t consumed_bytes() const noexcept final { return consumed_; }
  [[nodiscard]] bool padded() const noexcept final { return padded_; }

 protected:
  BufferedDecompressor(Compression format, ByteStream& stream, BytesBefore before);

  // Decompresses from input() into `to` and returns the number of bytes; calls use() for consumed input, and end_stream() or fail(). Makes
  // progress while there is input; with empty input it returns the bytes still buffered in the library.
  virtual size_t step(char* to, size_t bytes) = 0;
  // Prepares for the stream that begins at input(), which is not empty. False if none begins there.
  virtual bool restart() = 0;

  [[nodiscard]] std::string_view input() const noexcept { return {input_.data() + at_, filled_ - at_}; }
  void use(size_t bytes) noexcept { at_ += bytes; }
  void end_stream() noexcept { between_streams_ = true; }
  void fail(std::string_view why) { failure_ = why; }

 private:
  bool refill();
  bool begin_next();
  void stop(std::string_view what);

  const Compression format_;
  ByteStream& stream_;
  std::vector<char> input_;
  size_t at_ = 0;
  size_t filled_ = 0;
  uint64_t consumed_;
  uint64_t produced_;
  bool between_streams_ = true;
  bool first_ = true;
  bool padded_ = false;
  bool finished_ = false;
  std::string failure_;
  std::string damage_;
};

BufferedDecompressor::BufferedDecompressor(Compression format, ByteStream& stream, BytesBefore before)
    : format_(format), stream_(stream), input_(kStoredPieceBytes), consumed_(before.stored), produced_(before.plain) {}

size_t BufferedDecompressor::read(char* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes && !finished_) {
    const bool ended = at_ == filled_ && !refill();
    if (between_streams_) {
      finished_ = ended;
      if (ended || !begin_next()) continue;
    }
    // At the end of a truncated stream, the library's buffer is drained before the damage is reported.
    const size_t got = step(to + done, std::min(bytes - done, kMaxStepBytes));
    done += got;
    produced_ += got;
    if (!failure_.empty()) {
      stop("is corrupt");
    } else if (ended && got == 0 && !between_streams_) {
      stop("is truncated");
    }
  }
  return done;
}

bool BufferedDecompressor::refill() {
  at_ = 0;
  filled_ = stream_.read(input_.data(), input_.size());
  consumed_ += filled_;
  return filled_ > 0;
}

// True if another stream begins at the input.
bool BufferedDecompressor::begin_next() {
  if (!first_ && input_[at_] == '\0') {
    while (at_ < filled_ && input_[at_] == '\0') ++at_;
    padded_ = true;
    return at_ < filled_ && begin_next();
  }
  if (padded_ || !restart()) {
    stop("is followed by something else");
    return false;
  }
  between_streams_ = false;
  first_ = false;
  return true;
}

void BufferedDecompressor::stop(std::string_view what) {
  finished_ = true;
  damage_ = std::string(name_of(format_)) + " stream " + std::string(what) + " after " + std::to_string(produced_) + " bytes";
  if (!failure_.empty()) damage_ += " (" + failure_ + ")";
}

class GzipDecompressor final : public BufferedDecompressor {
 public:
  GzipDecompressor(ByteStream& stream, BytesBefore before) : BufferedDecompressor(Compression::kGzip, stream, before) {
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&state_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecompressor() override { inflateEnd(&state_); }

 private:
  bool restart() override { return input()[0] == '\x1F' && inflateReset(&state_) == Z_OK; }

  size_t step(char* to, size_t bytes) override {
    // An old interface: it only reads.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input().data()));
    state_.avail_in = static_cast<uInt>(input().size());
    state_.next_out = reinterpret_cast<Bytef*>(to);
    state_.avail_out = static_cast<uInt>(bytes);
    const int result = inflate(&state_, Z_NO_FLUSH);
    use(input().size() - state_.avail_in);
    if (result == Z_STREAM_END) {
      end_stream();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail(state_.msg != nullptr ? state_.msg : "cannot be read");
    }
    return bytes - state_.avail_out;
  }

  z_stream state_{};
};

class ZstdDecompressor final : public BufferedDecompressor {
 public:
  ZstdDecompressor(ByteStream& stream, BytesBefore before)
      : BufferedDecompressor(Compression::kZstd, stream, before), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
    // Also reads output of `zstd --long=31`.
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  }
  ~ZstdDecompressor() override { ZSTD_freeDStream(state_); }

 private:
  bool restart() override {
    ZSTD_DCtx_reset(state_, ZSTD_reset_session_only);
    wanted_ = 1;
    return true;
  }

  // The library gets no more input than it needs for the next block: it then decodes at most one block per call, and a corrupt block, or
  // header of a block, cannot lose pending bytes of the good one before it. What it asks for includes the header of the block after it.
  size_t step(char* to, size_t bytes) override {
    constexpr size_t kBlockHeaderBytes = 3;
    const size_t needed = wanted_ > kBlockHeaderBytes ? wanted_ - kBlockHeaderBytes : wanted_;
    ZSTD_inBuffer in{input().data(), flushing_ ? 0 : std::min(needed, input().size()), 0};
    ZSTD_outBuffer out{to, bytes, 0};
    const size_t result = ZSTD_decompressStream(state_, &out, &in);
    use(in.pos);
    if (ZSTD_isError(result) != 0) {
      // Which of the two it finds first depends on the size of its buffers, so on the frames before.
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
      fail(ZSTD_getErrorString(code == ZSTD_error_dstSize_tooSmall ? ZSTD_error_corruption_detected : code));
      return 0;
    }
    flushing_ = result != 0 && out.pos == out.size;
    if (result == 0) {
      end_stream();
    } else {
      wanted_ = result;
    }
    return out.pos;
  }

  ZSTD_DStream* const state_;
  size_t wanted_ = 1;
  bool flushing_ = false;
};

class Bzip2Decompressor final : public BufferedDecompressor {
 public:
  Bzip2Decompressor(ByteStream& stream, BytesBefore before) : BufferedDecompressor(Compression::kBzip2, stream, before) {
    // The windows are cut where a decompressor of the whole stream cuts them.
    window_filled_ = given_ = static_cast<size_t>(before.plain % kBzip2WindowBytes);
  }
  ~Bzip2Decompressor() override { BZ2_bzDecompressEnd(&state_); }

 private:
  bool restart() override {
    BZ2_bzDecompressEnd(&state_);
    state_ = {};
    if (input()[0] != 'B') return false;
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
    return true;
  }

  // On corrupt data the library drops the earlier output of the same call. So calls end at fixed places of the output, not at the end of
  // the caller's buffer, and the loss does not depend on the caller.
  size_t step(char* to, size_t bytes) override {
    if (given_ == window_filled_) fill_window();
    const size_t got = std::min(bytes, window_filled_ - given_);
    std::memcpy(to, window_.data() + given_, got);
    given_ += got;
    if (given_ == window_filled_) report(result_);
    return got;
  }

  void fill_window() {
    if (window_filled_ == window_.size()) given_ = window_filled_ = 0;
    state_.next_in = const_cast<char*>(input().data());  // an old interface: it only reads
    state_.avail_in = static_cast<unsigned>(input().size());
    state_.next_out = window_.data() + window_filled_;
    state_.avail_out = static_cast<unsigned>(window_.size() - window_filled_);
    result_ = BZ2_bzDecompress(&state_);
    use(input().size() - state_.avail_in);
    window_filled_ = window_.size() - state_.avail_out;
  }

  void report(int result) {
    if (result == BZ_STREAM_END) {
      end_stream();
    } else if (result != BZ_OK) {
      fail(result == BZ_DATA_ERROR_MAGIC ? "no bzip2 header" : "data integrity error");
    }
  }

  std::vector<char> window_ = std::vector<char>(kBzip2WindowBytes);
  size_t window_filled_ = 0;
  size_t given_ = 0;
  int result_ = BZ_OK;
  bz_stream state_{};
};

// Uncompressed data.
class PassThrough final : public Decompressor {
 public:
  PassThrough(ByteStream& stream, BytesBefore before) : stream_(stream), consumed_(before.stored) {}
  size_t read(char* to, size_t bytes) override {
    size_t done = 0;
    while (done < bytes) {
      const size_t got = stream_.read(to + done, bytes - done);
      if (got == 0) break;
      done += got;
    }
    consumed_ += done;
    return done;
  }
  [[nodiscard]] const std::string& damage() const noexcept override { return damage_; }
  [[nodiscard]] uint64_t consumed_bytes() const noexcept override { return consumed_; }

 private:
  ByteStream& stream_;
  uint64_t consumed_;
  std::string damage_;
};

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(Compression compression, ByteStream& stream, BytesBefore before) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipDecompressor>(stream, before);
    case Compression::kZstd:
      return std::make_unique<ZstdDecompressor>(stream, before);
    case Compression::kBzip2:
      return std::make_unique<Bzip2Decompressor>(stream, before);
    case Compression::kNone:
      break;
  }
  return std::make_unique<PassThrough>(stream, before);
}

}  // namespace neardup
