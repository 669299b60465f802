// ByteStream: sequential reading, possibly several times. StoredBytes: random access.
//
// A stream belongs to one thread; any number of threads may read stored bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/open_file.h"
#include "base/temp_file.h"
#include "io/bytes/input_file.h"

namespace neardup {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Up to `bytes` bytes, at least one unless the stream ends here. Throws Error.
  virtual size_t read(char* to, size_t bytes) = 0;
  virtual void rewind() = 0;
};

/// A regular file. Throws Error{kInput} when it does not open, and at its end when the file changed.
class FileStream final : public ByteStream {
 public:
  FileStream(const std::string& path, const FileStamp& expected);
  size_t read(char* to, size_t bytes) override;
  void rewind() override { at_ = 0; }

 private:
  const InputFile file_;
  const FileStamp expected_;
  uint64_t at_ = 0;
};

/// Standard input or a pipe: the first reading also writes the bytes to a temporary file, from which they are read after rewind(). With
/// `once`, only bytes read before the first rewind() are stored, and a later rewind() throws Error{kInput} when more were read.
class SpooledStream final : public ByteStream {
 public:
  /// `path` "-" is standard input. Throws Error{kInput} when it does not open.
  SpooledStream(const std::string& path, const std::string& temp_dir, bool once = false);
  size_t read(char* to, size_t bytes) override;
  void rewind() override;

 private:
  const std::string name_;
  const FileDescriptor descriptor_;
  const bool once_;
  TempFile spool_;
  uint64_t at_ = 0;
  bool ended_ = false;
  bool rewound_ = false;
};

/// Bytes in memory, for a decompressor.
class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  size_t read(char* to, size_t bytes) override {
    const size_t got = bytes_.copy(to, bytes, at_);
    at_ += got;
    return got;
  }
  void rewind() override { at_ = 0; }

 private:
  const std::string_view bytes_;
  size_t at_ = 0;
};

/// The bytes of an input as they are stored.
class StoredBytes {
 public:
  virtual ~StoredBytes() = default;
  /// Fewer than `bytes` bytes only at the end. Throws Error{kInput}.
  virtual size_t read_at(uint64_t offset, char* to, size_t bytes) const = 0;
  [[nodiscard]] virtual uint64_t size() const noexcept = 0;
};

/// The bytes of a regular file. Throws Error{kInput} when it does not open or is not the expected file, also later.
std::unique_ptr<StoredBytes> open_stored(const std::string& path, const FileStamp& expected);
/// The rest of a stream, copied to a temporary file. Throws Error.
std::unique_ptr<StoredBytes> spool_stored(ByteStream& stream, const std::string& temp_dir);

/// Waits for another program: returns when a read of the descriptor does not block: for bytes, the end, or an error. Throws Error{kStopped}
/// within a tenth of a second of a request to stop.
void wait_for_input(int descriptor);

}  // namespace neardup
