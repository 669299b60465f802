#include "io/bytes/compression.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <new>

#include "io/bytes/name_ending.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSuffixes[] = {".gz", ".zst", ".bz2"};
constexpr Compression kBySuffix[] = {Compression::kGzip, Compression::kZstd, Compression::kBzip2};
constexpr size_t kOutputBytes = 256u << 10;

// "BZh9" may well begin a text, so the magic of the first block, or of the end of an empty stream, must follow.
bool is_bzip2(std::string_view head) noexcept {
  if (head.size() < 10 || !head.starts_with("BZh") || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4, 6);
  return block == "\x31\x41\x59\x26\x53\x59"sv || block == "\x17\x72\x45\x38\x50\x90"sv;
}

// A zstd frame, or a skippable one before it.
bool is_zstd(std::string_view head) noexcept {
  if (head.starts_with("\x28\xB5\x2F\xFD"sv)) return true;
  return head.size() >= 4 && (static_cast<uint8_t>(head[0]) & 0xF0) == 0x50 && head.substr(1, 3) == "\x2A\x4D\x18"sv;
}

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

Compression sniff_compression(std::string_view head) noexcept {
  if (head.starts_with("\x1F\x8B\x08"sv)) return Compression::kGzip;
  if (is_zstd(head)) return Compression::kZstd;
  return is_bzip2(head) ? Compression::kBzip2 : Compression::kNone;
}

Compression compression_of_name(std::string_view path) noexcept {
  for (size_t i = 0; i < std::size(kSuffixes); ++i) {
    if (has_ending(path, kSuffixes[i])) return kBySuffix[i];
  }
  return Compression::kNone;
}

std::string_view without_compression_suffix(std::string_view path) noexcept {
  for (const std::string_view suffix : kSuffixes) {
    if (has_ending(path, suffix)) return path.substr(0, path.size() - suffix.size());
  }
  return path;
}

std::string_view name_of(Compression compression) noexcept {
  constexpr std::string_view kNames[] = {"", "gzip", "zstd", "bzip2"};
  return kNames[static_cast<size_t>(compression)];
}

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
