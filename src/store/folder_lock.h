// FolderLock: one writer at a time in a folder. Held by a process until it ends, however it ends.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

class FolderLock {
 public:
  /// Makes FOLDER/LOCK if it is not there. Its holder may remove the file. `shared`: with others that share it, but not with one that
  /// does not. `what` the folder is, for messages. Throws Error{kOutput} that names the folder and, where one process has it alone, that
  /// process.
  explicit FolderLock(const std::string& folder, std::string_view what = "the index", bool shared = false);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace neardup
