// MadeFolders: folders that were made for an output, and that go again when nothing comes of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace neardup {

class MadeFolders {
 public:
  /// Makes the folder and those above it that do not exist. Throws Error{kOutput}; then this call has made none.
  void make(const std::filesystem::path& folder);
  /// Removes what was made, as far as it is empty.
  void remove() noexcept;

 private:
  void remove_from(size_t first) noexcept;

  std::vector<std::filesystem::path> made_;
};

}  // namespace neardup
