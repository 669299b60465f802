// Decompressor: the plain bytes of a stream, compressed in any supported format.
//
// Concatenated gzip members, zstd frames and bzip2 streams are read to the last one; zero bytes after the last are padding. A stream that
// is truncated or corrupt ends early: read() returns the bytes before the damage, then 0, and damage() describes it. This depends only on
// the stream's bytes, not on how it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"

namespace neardup {

class Decompressor {
 public:
  virtual ~Decompressor() = default;
  /// Fills `to`: fewer than `bytes` bytes only at the end or at damage. Throws Error{kInput} when the stream cannot be read.
  virtual size_t read(char* to, size_t bytes) = 0;
  /// For instance "gzip stream is truncated after 4711 bytes" (of decompressed data), or empty.
  [[nodiscard]] virtual const std::string& damage() const noexcept = 0;
  /// Bytes taken from the stream so far.
  [[nodiscard]] virtual uint64_t consumed_bytes() const noexcept = 0;
  /// True once zero bytes were read after a member: nothing else may follow them.
  [[nodiscard]] virtual bool padded() const noexcept { return false; }
};

/// A decompressor asks its stream for this many bytes at a time.
inline constexpr size_t kStoredPieceBytes = 256u << 10;

/// The bytes before a decompressor that begins at a later member; they count in consumed_bytes() and in messages.
struct BytesBefore {
  uint64_t stored = 0;
  uint64_t plain = 0;
};

/// Continues from the stream's position, the beginning of a member; does not own the stream.
std::unique_ptr<Decompressor> make_decompressor(Compression compression, ByteStream& stream, BytesBefore before = {});

}  // namespace neardup
