// Compression formats: detected by content when reading, selected by the end of the name when writing. Compressor: equal input gives equal
// output on every machine. Decompression: io/bytes/decompress.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup {

enum class Compression { kNone, kGzip, kZstd, kBzip2 };

/// The number of first bytes of a file, or fewer if it is shorter, for detecting the format.
inline constexpr size_t kSniffBytes = 16;

/// By the magic bytes. Too few bytes, or unknown ones, are kNone.
Compression sniff_compression(std::string_view head) noexcept;

/// By the suffix ".gz", ".zst" or ".bz2".
Compression compression_of_name(std::string_view path) noexcept;
/// The path without that suffix.
std::string_view without_compression_suffix(std::string_view path) noexcept;
/// "gzip", "zstd", "bzip2"; empty for kNone.
std::string_view name_of(Compression compression) noexcept;

class Compressor {
 public:
  virtual ~Compressor() = default;
  /// Appends finished bytes to `out`; after `last`, everything. The output may depend on how the input is cut into calls, so for
  /// reproducible files cut it at fixed places.
  virtual void compress(std::string_view bytes, bool last, std::string& out) = 0;
};

/// gzip (level 6, no time, no name), zstd (level 3, with checksum) or bzip2 (level 9); null for kNone.
std::unique_ptr<Compressor> make_compressor(Compression compression);

}  // namespace neardup
