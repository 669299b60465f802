// MadeFolders: folders that were made for an output, and that go again when nothing comes of it.
#pragma once

#include <filesystem>
#include <vector>

namespace neardup {

class MadeFolders {
 public:
  /// Makes the folder and those above it that do not exist. Throws Error{kOutput}.
  void make(const std::filesystem::path& folder);
  /// Removes what was made, as far as it is empty.
  void remove() noexcept;

 private:
  std::vector<std::filesystem::path> made_;
};

}  // namespace neardup
