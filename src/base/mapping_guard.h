// MappingGuard: tells whether bytes of a mapping got lost because its file shrank or its disk failed.
//
// Registers a range of memory as long as it lives. After guard_mapped_files() (neardup/tools/mapped_files.h) a SIGBUS inside a registered
// range replaces the missing page and all later ones of the range by zeros, marks the range, and execution continues. Thread-safe. Other
// faults, and a SIGBUS that a process sent, have the effect that they had before; the guard stays.
//
// A child of fork() has the handler, and copies of the ranges and of their marks: it is guarded as its parent was. If the parent had other
// threads, the child may only exec, as POSIX says: one of them may have held the lock of the list, and nobody would release it. After exec
// the handler is gone.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

namespace neardup {

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
  /// True once a page was missing: some bytes that were read may have been zeros in its place.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  friend bool replace_lost_pages(void* address) noexcept;

  char* begin_ = nullptr;
  size_t bytes_ = 0;
  std::atomic<bool> lost_{false};
  MappingGuard* previous_ = nullptr;  // a list of all
  MappingGuard* next_ = nullptr;
};

/// For a system call that refused `bytes` with EFAULT because they lie in a mapping whose file shrank: reads them, so that missing pages
/// become zeros. False if guard_mapped_files() was not called, and nothing was done.
bool refill_lost_pages(std::string_view bytes) noexcept;

}  // namespace neardup
