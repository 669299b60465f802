// FolderLock: one writer at a time in an index folder. Held by a process until it ends, however it ends.
#pragma once

#include <string>

namespace neardup {

class FolderLock {
 public:
  /// Makes FOLDER/LOCK if it is not there. Throws Error{kOutput} that names the folder and, where it is known, the process that has it.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace neardup
