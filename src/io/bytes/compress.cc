#include "io/bytes/compress.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <new>

namespace neardup {
namespace {

constexpr size_t kOutputBytes = 256u << 10;

// Room at the end of a string for a library to write to.
class Room {
 public:
  explicit Room(std::string& out) : out_(out), before_(out.size()) { out_.resize(before_ + kOutputBytes); }
  [[nodiscard]] char* begin() const noexcept { return out_.data() + before_; }
  void keep(size_t bytes) { out_.resize(before_ + bytes); }

 private:
  std::string& out_;
  const size_t before_;
};

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kGzipWindow = 15 + 16;
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&state_, 6, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  ~GzipCompressor() override { deflateEnd(&state_); }

  void compress(std::string_view bytes, bool last, std::string& out) override {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // an old interface: it only reads
    state_.avail_in = static_cast<uInt>(bytes.size());
    do {
      Room room(out);
      state_.next_out = reinterpret_cast<Bytef*>(room.begin());
      state_.avail_out = kOutputBytes;
      deflate(&state_, last ? Z_FINISH : Z_NO_FLUSH);
      room.keep(kOutputBytes - state_.avail_out);
    } while (state_.avail_out == 0);
  }

 private:
  z_stream state_{};
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : state_(ZSTD_createCCtx()) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state_, ZSTD_c_compressionLevel, 3);
    ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdCompressor() override { ZSTD_freeCCtx(state_); }

  void compress(std::string_view bytes, bool last, std::string& out) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    size_t left = 0;
    do {
      Room room(out);
      ZSTD_outBuffer to{room.begin(), kOutputBytes, 0};
      left = ZSTD_compressStream2(state_, &to, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // the only way to fail with valid parameters
      room.keep(to.pos);
    } while (last ? left != 0 : in.pos < in.size);
  }

 private:
  ZSTD_CCtx* const state_;
};

class Bzip2Compressor final : public Compressor {
 public:
  Bzip2Compressor() {
    if (BZ2_bzCompressInit(&state_, 9, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2Compressor() override { BZ2_bzCompressEnd(&state_); }

  void compress(std::string_view bytes, bool last, std::string& out) override {
    state_.next_in = const_cast<char*>(bytes.data());
    state_.avail_in = static_cast<unsigned>(bytes.size());
    int result = BZ_RUN_OK;
    while (last ? result != BZ_STREAM_END : state_.avail_in > 0) {
      Room room(out);
      state_.next_out = room.begin();
      state_.avail_out = kOutputBytes;
      result = BZ2_bzCompress(&state_, last ? BZ_FINISH : BZ_RUN);
      room.keep(kOutputBytes - state_.avail_out);
    }
  }

 private:
  bz_stream state_{};
};

}  // namespace

std::unique_ptr<Compressor> make_compressor(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipCompressor>();
    case Compression::kZstd:
      return std::make_unique<ZstdCompressor>();
    case Compression::kBzip2:
      return std::make_unique<Bzip2Compressor>();
    case Compression::kNone:
      break;
  }
  return nullptr;
}

}  // namespace neardup
