#include "io/bytes/compression.h"

#include <cstdint>

#include "io/bytes/name_ending.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSuffixes[] = {".gz", ".zst", ".bz2"};
constexpr Compression kBySuffix[] = {Compression::kGzip, Compression::kZstd, Compression::kBzip2};

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

}  // namespace neardup
