// OutputTree: which file below a folder belongs to which input, and the folders that have to be made for them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "neardup/source.h"

namespace neardup {

/// The targets of all sources from `first` on: the same names below `directory`, without the longest folder that all share.
/// Throws Error{kOutput} for standard input, which has no name, and for two inputs that would have one target.
std::vector<std::string> output_names(const std::string& directory, const DocumentSource& source, uint32_t first);

/// Folders that were made by us, and that go again when the run does not commit.
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
