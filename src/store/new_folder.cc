#include "store/new_folder.h"

#include <unistd.h>

#include <utility>

#include "base/open_file.h"
#include "neardup/error.h"
#include "store/hamming_folder.h"

namespace neardup {

NewFolder::NewFolder(std::string folder) : folder_(std::move(folder)) {
  made_.make(folder_);
  try {
    require_free(folder_);
    lock_ = std::make_unique<FolderLock>(folder_);
    require_free(folder_);  // again: nobody else made or filled a store before the lock was ours
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
      // An unused store that was there stays, and keeps its lock file.
      if (path_kind(folder_ + "/MANIFEST") == PathKind::kMissing) ::unlink((folder_ + "/LOCK").c_str());
    }
  } catch (...) {  // a disk that fails, or no memory: the next builder sweeps
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
