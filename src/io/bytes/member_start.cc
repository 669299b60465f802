#include "io/bytes/member_start.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

namespace neardup {
namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B\x08";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

// RFC 1952: the flags, the level and the system have few valid values; the first block has one of three types.
bool is_gzip_head(std::string_view head) noexcept {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(head[i]); };
  constexpr size_t kBody = 10;
  constexpr int kLastSystem = 13;
  const bool level = byte(8) == 0 || byte(8) == 2 || byte(8) == 4;
  const bool system = byte(9) <= kLastSystem || byte(9) == 0xFF;
  if (byte(3) > 0x1F || !level || !system) return false;
  return byte(3) != 0 || (byte(kBody) >> 1 & 3) != 3;
}

// The library follows the sizes of the blocks. It gets a few bytes only: otherwise a stream made of such beginnings would take forever.
bool is_zstd_head(std::string_view frame) noexcept {
  constexpr size_t kMostBytes = 256;
  const size_t size = ZSTD_findFrameCompressedSize(frame.data(), std::min(frame.size(), kMostBytes));
  return ZSTD_isError(size) == 0 || ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong;
}

}  // namespace

size_t find_member_start(Compression compression, std::string_view stored, size_t from) noexcept {
  if (compression != Compression::kGzip && compression != Compression::kZstd) return std::string_view::npos;
  const bool gzip = compression == Compression::kGzip;
  const std::string_view magic = gzip ? kGzipMagic : kZstdMagic;
  for (size_t at = stored.find(magic, from); at != std::string_view::npos && at + kMemberHeadBytes <= stored.size();
       at = stored.find(magic, at + 1)) {
    if (gzip ? is_gzip_head(stored.substr(at)) : is_zstd_head(stored.substr(at))) return at;
  }
  return std::string_view::npos;
}

}  // namespace neardup
