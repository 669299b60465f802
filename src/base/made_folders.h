// MadeFolders: folders that were created for an output, and are removed again if the output is not committed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace neardup {

class MadeFolders {
 public:
  /// Creates the folder and its missing parents. Throws Error{kOutput}; then this call has created none.
  void make(const std::filesystem::path& folder);
  /// Removes the created folders that are empty.
  void remove() noexcept;

 private:
  void remove_from(size_t first) noexcept;

  std::vector<std::filesystem::path> made_;
};

}  // namespace neardup
