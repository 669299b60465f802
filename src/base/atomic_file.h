// AtomicFile: a file that gets its final name only when it is complete (law 6).
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
  /// Overwrites appended bytes, for a header that is known only at the end. Not after finish().
  void overwrite(uint64_t offset, std::string_view bytes);
  /// Flushes to the disk and closes; commit() does it too. For a program with more outputs than it can hold open.
  void finish();
  void commit();
  /// Undoes commit(): restores the replaced file, or removes the new one. Not for files that are written directly.
  void withdraw() noexcept;
  /// Removes the hidden siblings that killed programs left. Call it only if no program can be writing these files.
  static void remove_leftovers(const std::vector<std::string>& paths);
  [[nodiscard]] uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The path of the file until commit(), for a library that writes a file by name. Then append() is not called.
  [[nodiscard]] const std::string& hidden_path() const noexcept { return partial_.empty() ? path_ : partial_; }

 private:
  std::string path_;
  std::string target_;   ///< path_ with its links resolved
  std::string partial_;  ///< empty when written directly
  int descriptor_ = -1;
  uint64_t size_ = 0;
  uint64_t handed_over_ = 0;  ///< bytes that the disk was asked to start on
  bool committed_ = false;
  bool displaced_ = false;  // the hidden name holds the file that the commit replaced
};

/// Writes the names in a folder to the disk, so that a power loss does not undo a rename. Returns 0 or the error number; 0 also where the
/// file system cannot do it.
int sync_folder(const std::string& folder) noexcept;

}  // namespace neardup
