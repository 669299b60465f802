#include "store/new_folder.h"

#include <unistd.h>

#include <utility>

#include "base/open_file.h"
#include "neardup/error.h"
#include "store/store_folder.h"

namespace neardup {

NewFolder::NewFolder(std::string folder) : folder_(std::move(folder)) {
  made_.make(folder_);
  try {
    require_free(folder_);
    lock_ = std::make_unique<FolderLock>(folder_);
    locked_ = true;
    require_free(folder_);  // again: another process may have made or filled a store before this one got the lock
    ours_ = true;
    mark_folder(folder_);
  } catch (...) {
    undo();
    throw;
  }
}

NewFolder::~NewFolder() {
  if (!finished_) undo();
}

void NewFolder::undo() noexcept {
  try {
    if (ours_) {
      sweep_folder(folder_, {});
      unmark_folder(folder_);
    }
    // Who holds the lock and sees no store may remove the lock file, also when the second look at the folder failed. An existing unused
    // store remains, and keeps its lock file.
    if (locked_) {
      if (path_kind(folder_ + "/MANIFEST") == PathKind::kMissing) ::unlink((folder_ + "/LOCK").c_str());
    }
  } catch (...) {  // a disk failure, or no memory: the next builder cleans up
  }
  made_.remove();
}

void NewFolder::finish() noexcept {
  finished_ = true;
  try {
    unmark_folder(folder_);
  } catch (...) {  // the next writer does it
  }
}

}  // namespace neardup
