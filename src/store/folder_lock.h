// FolderLock: one writer at a time in a folder. Released when the process ends, in any way.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

class FolderLock {
 public:
  /// Creates FOLDER/LOCK if it does not exist. Its holder may remove the file. `shared`: other shared locks are allowed, an exclusive one
  /// is not. `what`: what the folder is, for messages. Throws Error{kOutput} that names the folder and the process with an exclusive lock.
  explicit FolderLock(const std::string& folder, std::string_view what = "the index", bool shared = false);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace neardup
