// Temporary data on disk: unnamed files that vanish when they are closed, whatever happens to the process.
//
//   temp_folder()   the folder of these files
//   TempFile        a file: appended to, then read
//   TempMapping     its contents, as memory
//
// One thread at a time appends to a TempFile; any number of threads may read earlier bytes. A TempMapping may be read and released by any
// number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// The folder for temporary files: `directory`, or if it is empty TMPDIR, else /tmp.
std::string temp_folder(const std::string& directory);

/// Bytes are written, never only mapped, and nobody else can shorten the file: so a mapping of it cannot fault for a full disk or another
/// program.
class TempFile {
 public:
  /// Throws Error{kOutput} naming the folder. See temp_folder().
  explicit TempFile(const std::string& directory);
  ~TempFile();
  TempFile(TempFile&& other) noexcept;
  TempFile& operator=(TempFile&& other) noexcept;  // swaps

  /// Throws Error{kOutput} (disk full names the folder and the bytes written so far).
  void append(const void* data, size_t bytes);
  /// Reads exactly `bytes` at `offset`. Throws Error{kInput}.
  void read(uint64_t offset, void* data, size_t bytes) const;
  [[nodiscard]] uint64_t size() const noexcept { return size_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  std::string directory_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// Everything appended to a file so far, as read-only memory: the page cache holds as much of it as fits. The file may be closed
/// afterwards.
class TempMapping {
 public:
  /// The file must not be empty. Throws Error{kResource} naming the bytes.
  explicit TempMapping(const TempFile& file);
  ~TempMapping();
  TempMapping(TempMapping&& other) noexcept;
  TempMapping& operator=(TempMapping&& other) noexcept;  // swaps

  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<const char*>(begin_), bytes_}; }
  /// Releases the pages from resident memory; a concurrent read loads them again.
  void release() const noexcept;

 private:
  void* begin_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace neardup
