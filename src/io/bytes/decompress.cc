#include "io/bytes/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <string>

#include "io/bytes/buffered_decompressor.h"

namespace neardup {
namespace {

class GzipDecompressor final : public BufferedDecompressor {
 public:
  explicit GzipDecompressor(ByteStream& stream) : BufferedDecompressor(Compression::kGzip, stream) {
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
  explicit ZstdDecompressor(ByteStream& stream) : BufferedDecompressor(Compression::kZstd, stream), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
    // Also what `zstd --long=31` wrote.
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
  }
  ~ZstdDecompressor() override { ZSTD_freeDStream(state_); }

 private:
  bool restart() override {
    ZSTD_DCtx_reset(state_, ZSTD_reset_session_only);
    wanted_ = 1;
    return true;
  }

  // The library is shown no more than it asks for: it then decodes at most one block per call, and a corrupt block cannot take
  // along bytes of the good one before it that were not handed out yet.
  size_t step(char* to, size_t bytes) override {
    ZSTD_inBuffer in{input().data(), flushing_ ? 0 : std::min(wanted_, input().size()), 0};
    ZSTD_outBuffer out{to, bytes, 0};
    const size_t result = ZSTD_decompressStream(state_, &out, &in);
    use(in.pos);
    if (ZSTD_isError(result) != 0) {
      fail(ZSTD_getErrorName(result));
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

class PassThrough final : public Decompressor {
 public:
  explicit PassThrough(ByteStream& stream) : stream_(stream) {}
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
  uint64_t consumed_ = 0;
  std::string damage_;
};

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(Compression compression, ByteStream& stream) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipDecompressor>(stream);
    case Compression::kZstd:
      return std::make_unique<ZstdDecompressor>(stream);
    case Compression::kBzip2:
      return make_bzip2_decompressor(stream);
    case Compression::kNone:
      break;
  }
  return std::make_unique<PassThrough>(stream);
}

}  // namespace neardup
