// AtomicFile: bytes that appear under their final name only when all of them are there (law 6).
//
// Written to a hidden sibling (".NAME.XXXXXX.partial", created exclusively), flushed to the disk, renamed on commit. Destroyed without
// commit, it removes the sibling. A final name that is not a regular file (/dev/null, a pipe) is written directly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class AtomicFile {
 public:
  /// Throws Error{kOutput} naming the path and the reason.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::string_view bytes);
  /// Replaces bytes that were appended before, for a header that is known at the end. Not after finish().
  void overwrite(uint64_t offset, std::string_view bytes);
  /// Flushes to the disk and closes; commit() does it too. For a program with more outputs than it can hold open.
  void finish();
  void commit();
  /// Undoes commit(): brings back the file that it replaced, or removes the new one. Not for what was written directly.
  void withdraw() noexcept;
  /// Removes what programs that were killed while they wrote these files left next to them. Call it only if no program can be writing them
  /// now.
  static void remove_leftovers(const std::vector<std::string>& paths);
  [[nodiscard]] uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Where the bytes are until commit(): for a library that writes a file by its name. Then append() is not called.
  [[nodiscard]] const std::string& hidden_path() const noexcept { return partial_.empty() ? path_ : partial_; }

 private:
  std::string path_;
  std::string target_;   ///< path_ with its links resolved
  std::string partial_;  ///< empty when written directly
  int descriptor_ = -1;
  uint64_t size_ = 0;
  uint64_t handed_over_ = 0;  ///< bytes that the disk was asked to start on
  bool committed_ = false;
  bool displaced_ = false;  // the hidden name holds the file that was there before the commit
};

}  // namespace neardup
