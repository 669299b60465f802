// StoredBytes: the bytes of an input at any place, as they are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/bytes/byte_stream.h"
#include "io/bytes/input_file.h"

namespace neardup {

/// Reads from any number of threads.
class StoredBytes {
 public:
  virtual ~StoredBytes() = default;
  /// Fewer than `bytes` bytes only at the end. Throws Error{kInput}.
  virtual size_t read_at(uint64_t offset, char* to, size_t bytes) const = 0;
  [[nodiscard]] virtual uint64_t size() const noexcept = 0;
};

/// A regular file. Throws Error{kInput} when it does not open or is not the expected one, also later.
std::unique_ptr<StoredBytes> open_stored(const std::string& path, const FileStamp& expected);
/// All that is left in a stream, copied to a temporary file. Throws Error.
std::unique_ptr<StoredBytes> spool_stored(ByteStream& stream, const std::string& temp_dir);

}  // namespace neardup
