#include "base/made_folders.h"

#include <ranges>
#include <system_error>
#include <utility>

#include "neardup/error.h"

namespace neardup {

namespace fs = std::filesystem;

void MadeFolders::make(const fs::path& folder) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error); at = at.parent_path()) {
    missing.push_back(at);
    if (at == at.parent_path()) break;
  }
  const size_t before = made_.size();
  made_.reserve(before + missing.size());  // created folders are remembered even if memory runs out
  try {
    for (fs::path& at : missing | std::views::reverse) {
      const bool made = fs::create_directory(at, error);
      if (error) throw Error(ErrorCode::kOutput, "cannot make the folder '" + at.native() + "': " + error.message());
      if (made) made_.push_back(std::move(at));
    }
    if (!fs::is_directory(folder, error)) throw Error(ErrorCode::kOutput, "'" + folder.native() + "' is not a folder");
  } catch (...) {
    remove_from(before);
    throw;
  }
}

void MadeFolders::remove() noexcept {
  remove_from(0);
}

void MadeFolders::remove_from(size_t first) noexcept {
  std::error_code error;
  for (; made_.size() > first; made_.pop_back()) fs::remove(made_.back(), error);
}

}  // namespace neardup
