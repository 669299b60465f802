#include "server/http/body_decoder.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace neardup::server {
namespace {

constexpr size_t kDecodedPiece = 16384;
constexpr int kMaxZstdWindowLog = 23;

}  // namespace

struct BodyDecoder::Gzip {
  Gzip() {
    // 16: gzip only, not zlib. It fails only for want of memory.
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() { inflateEnd(&stream); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  z_stream stream = {};
};

struct BodyDecoder::Zstd {
  Zstd() : context(ZSTD_createDCtx()) {
    if (context == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMaxZstdWindowLog);
  }
  ~Zstd() { ZSTD_freeDCtx(context); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  ZSTD_DCtx* context;
};

BodyDecoder::BodyDecoder(BodyEncoding encoding, uint64_t max_bytes, uint64_t expected_bytes)
    : encoding_(encoding), max_bytes_(std::min<uint64_t>(max_bytes, std::numeric_limits<int64_t>::max() / 2)) {
  switch (encoding) {
    case BodyEncoding::kIdentity:
      body_.reserve(std::min(expected_bytes, max_bytes_));
      break;
    case BodyEncoding::kGzip:
      gzip_ = std::make_unique<Gzip>();
      break;
    case BodyEncoding::kZstd:
      zstd_ = std::make_unique<Zstd>();
      break;
  }
}

BodyDecoder::~BodyDecoder() = default;

bool BodyDecoder::append(const char* data, size_t size) {
  const uint64_t needed = body_.size() + size;
  if (needed > max_bytes_) return false;
  if (needed > body_.capacity()) {
    // Doubled, but not beyond the bound. A string doubles itself whatever it is asked for; a new one does not.
    std::string larger;
    larger.reserve(std::min<uint64_t>(std::max<uint64_t>(needed, 2 * body_.capacity()), max_bytes_));
    larger += body_;
    body_.swap(larger);
  }
  body_.append(data, size);
  return true;
}

BodyDecoder::Result BodyDecoder::add(std::string_view bytes) {
  sent_bytes_ += bytes.size();
  switch (encoding_) {
    case BodyEncoding::kIdentity:
      return append(bytes.data(), bytes.size()) ? Result::kGood : Result::kTooLarge;
    case BodyEncoding::kGzip:
      return add_gzip(bytes);
    case BodyEncoding::kZstd:
      return add_zstd(bytes);
  }
  return Result::kDamaged;
}

BodyDecoder::Result BodyDecoder::add_gzip(std::string_view bytes) {
  std::array<char, kDecodedPiece> piece;
  z_stream& stream = gzip_->stream;
  while (!bytes.empty()) {
    // zlib counts in 32 bits.
    const size_t part = std::min<size_t>(bytes.size(), 1U << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(part);
    do {
      if (between_ && stream.avail_in != 0) {
        inflateReset(&stream);
        between_ = false;
      }
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = kDecodedPiece;
      const int result = inflate(&stream, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return Result::kDamaged;
      if (!append(piece.data(), kDecodedPiece - stream.avail_out)) return Result::kTooLarge;
      between_ = result == Z_STREAM_END;
      // A full piece may have left output behind in the decoder.
    } while (stream.avail_in != 0 || (stream.avail_out == 0 && !between_));
    bytes.remove_prefix(part);
  }
  return Result::kGood;
}

BodyDecoder::Result BodyDecoder::add_zstd(std::string_view bytes) {
  std::array<char, kDecodedPiece> piece;
  ZSTD_inBuffer input = {bytes.data(), bytes.size(), 0};
  size_t filled = 0;
  while (input.pos < input.size || (filled == kDecodedPiece && !between_)) {
    ZSTD_outBuffer output = {piece.data(), kDecodedPiece, 0};
    const size_t result = ZSTD_decompressStream(zstd_->context, &output, &input);
    if (ZSTD_isError(result)) {
      if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      return Result::kDamaged;
    }
    filled = output.pos;
    if (!append(piece.data(), filled)) return Result::kTooLarge;
    between_ = result == 0;
  }
  return Result::kGood;
}

BodyDecoder::Result BodyDecoder::finish() const {
  return encoding_ == BodyEncoding::kIdentity || between_ ? Result::kGood : Result::kDamaged;
}

}  // namespace neardup::server
