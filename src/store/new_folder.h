// NewFolder: a folder that becomes a store, as a whole or not at all.
//
// Until the first manifest is written the folder is marked by the file BUILDING and nobody can open it, unless it holds an unused store:
// that stays what it is, and can be opened, until the new manifest replaces its own. If the process is killed before, the mark tells the
// next builder that all segments and unfinished files may go; if the builder gives up, it takes away all that it made.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/made_folders.h"
#include "store/folder_lock.h"

namespace neardup {

class NewFolder {
 public:
  /// Makes the folder, or takes an empty one, one of an unused store, or what is left of a killed build; locks and marks it. Throws
  /// Error{kOutput} when it holds anything else, another process writes it, or it cannot be written; then it is as it was, but that what a
  /// killed build left may be gone.
  explicit NewFolder(std::string folder);
  /// Unless finish() was called, removes what was made since. The lock is to be held until then.
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// Once.
  [[nodiscard]] std::unique_ptr<FolderLock> take_lock() noexcept { return std::move(lock_); }
  /// The manifest is there.
  void finish() noexcept;

 private:
  void undo() noexcept;

  const std::string folder_;
  MadeFolders made_;
  std::unique_ptr<FolderLock> lock_;
  bool ours_ = false;  // locked, and nothing in it is anybody else's
  bool finished_ = false;
};

}  // namespace neardup
