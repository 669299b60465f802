// Compression formats: told apart by content when reading, by the end of the name when writing.
#pragma once

#include <string_view>

namespace neardup {

enum class Compression { kNone, kGzip, kZstd, kBzip2 };

/// What sniffing looks at: the first bytes of a file, as many as there are up to this.
inline constexpr size_t kSniffBytes = 16;
/// What decides how a whole input is read (content.h) is looked for in this many of its first bytes.
inline constexpr size_t kHeadBytes = 16u << 10;

/// By the magic bytes. Too few bytes, or unknown ones, are kNone.
Compression sniff_compression(std::string_view head) noexcept;

/// By the suffix ".gz", ".zst" or ".bz2".
Compression compression_of_name(std::string_view path) noexcept;
/// The path without that suffix.
std::string_view without_compression_suffix(std::string_view path) noexcept;
/// "gzip", "zstd", "bzip2"; empty for kNone.
std::string_view name_of(Compression compression) noexcept;

}  // namespace neardup
