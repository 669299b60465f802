// Compression formats: told apart by content when reading, by the end of the name when writing. Compressor: the same bytes in give the
// same bytes out, whatever the machine and the time of day. The other way: io/bytes/decompress.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup {

enum class Compression { kNone, kGzip, kZstd, kBzip2 };

/// What sniffing looks at: the first bytes of a file, as many as there are up to this.
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
  /// Appends to `out` what is ready; after `last`, everything. How the input is cut into calls may show in the output, so a caller
  /// that wants reproducible files cuts it at fixed places.
  virtual void compress(std::string_view bytes, bool last, std::string& out) = 0;
};

/// gzip (level 6, no time, no name), zstd (level 3, with checksum) or bzip2 (level 9); null for kNone.
std::unique_ptr<Compressor> make_compressor(Compression compression);

}  // namespace neardup
