// NewFolder: a folder that becomes a store completely or not at all.
//
// Until the first manifest is written, the file BUILDING marks the folder and nobody can open it, unless it holds an unused store, which
// can be opened until the new manifest replaces its own. If the process is killed before, the mark allows the next builder to remove all
// segments and unfinished files; if the builder gives up, it removes everything it made.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/made_folders.h"
#include "store/folder_lock.h"

namespace neardup {

class NewFolder {
 public:
  /// Creates the folder, or takes an empty one, an unused store, or the remains of a killed build; locks and marks it. Throws
  /// Error{kOutput} when it holds anything else, another process writes it, or it cannot be written; then it is unchanged, except that
  /// remains of a killed build may have been removed.
  explicit NewFolder(std::string folder);
  /// Unless finish() was called, removes everything made since. The lock must be held until then.
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// Once.
  [[nodiscard]] std::unique_ptr<FolderLock> take_lock() noexcept { return std::move(lock_); }
  /// Call it when the manifest is written.
  void finish() noexcept;

 private:
  void undo() noexcept;

  const std::string folder_;
  MadeFolders made_;
  std::unique_ptr<FolderLock> lock_;
  bool locked_ = false;
  bool ours_ = false;  // locked, and it holds no files of others
  bool finished_ = false;
};

}  // namespace neardup
