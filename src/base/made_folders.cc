#include "base/made_folders.h"

#include <ranges>
#include <system_error>

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
  for (const fs::path& at : missing | std::views::reverse) {
    if (fs::create_directory(at, error)) made_.push_back(at);
    if (error) throw Error(ErrorCode::kOutput, "cannot make the folder '" + at.native() + "': " + error.message());
  }
  if (!fs::is_directory(folder, error)) throw Error(ErrorCode::kOutput, "'" + folder.native() + "' is not a folder");
}

void MadeFolders::remove() noexcept {
  std::error_code error;
  for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), error);
}

}  // namespace neardup
