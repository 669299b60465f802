// MappedFile: maps a file, or a part of one, as memory that the system reads on first use. Immutable; threads share it.
//
// A file can shrink while it is mapped, and a disk can fail. Then bytes read as zeros (where the program asked for that, see
// neardup/tools/mapped_files.h; else the process ends), and check() throws. So call check() after a computation and before reporting its
// result. Files that neardup writes appear by rename and are never changed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// Detects that bytes of a mapping were lost because its file shrank or its disk failed.
///
/// Registers a range of memory as long as it lives. After guard_mapped_files() (neardup/tools/mapped_files.h) a SIGBUS inside a registered
/// range replaces the missing page and all later ones of the range by zeros, marks the range, and execution continues. Thread-safe. Other
/// faults, and a SIGBUS that a process sent, keep their effect; the guard stays installed.
///
/// A child of fork() has the handler, and copies of the ranges and of their marks: it is guarded as its parent was. If the parent had other
/// threads, the child may only exec, as POSIX says: one of them may have held the lock of the list, and nobody would release it. After exec
/// the handler is gone.
class MappingGuard {
 public:
  MappingGuard() = default;
  ~MappingGuard() { forget(); }
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// Registers [begin, begin + bytes), a mapping that begins at a page. Once.
  void watch(void* begin, size_t bytes) noexcept;
  /// Before the mapping is removed.
  void forget() noexcept;
  /// True once a page was missing: some bytes may have read as zeros.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  friend bool replace_lost_pages(void* address) noexcept;

  char* begin_ = nullptr;
  size_t bytes_ = 0;
  std::atomic<bool> lost_{false};
  MappingGuard* previous_ = nullptr;  // a list of all
  MappingGuard* next_ = nullptr;
};

class MappedFile {
 public:
  /// The whole file. Throws Error{kInput} naming the path and the reason; only regular files can be mapped.
  explicit MappedFile(const std::string& path);
  /// A part of an open file, which may be closed afterwards; `name` is for messages, with quotes if it is a path.
  MappedFile(int descriptor, uint64_t offset, uint64_t bytes, std::string name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Of a whole file, begins at a page.
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  /// Throws Error{kInput} naming the file if bytes were missing at any time since it was mapped. Costs two loads.
  void check() const;

  /// Hints for the system. kRandom: reads only the pages that are used; otherwise megabytes around each page may be read.
  enum class Reading { kRandom, kInOrder };
  void expect(Reading reading) const noexcept;
  /// Releases the pages for now: they stop counting as resident memory.
  void release() const noexcept;
  /// Begins to read these bytes, which are some of bytes().
  static void fetch(std::string_view bytes) noexcept;

 private:
  void map(int descriptor, uint64_t offset, uint64_t bytes);

  std::string name_;
  void* begin_ = nullptr;
  size_t size_ = 0;
  std::string_view bytes_;
  MappingGuard guard_;
  const volatile char* mark_ = nullptr;  // see map()
  char mark_value_ = 0;
};

/// For a system call that refused `bytes` with EFAULT because they lie in a mapping whose file shrank: reads them, so that missing pages
/// become zeros. Returns false and does nothing if guard_mapped_files() was not called.
bool refill_lost_pages(std::string_view bytes) noexcept;

}  // namespace neardup
