// The libraries that a build uses: for bug reports.
#pragma once

#include <string>
#include <vector>

namespace neardup {

struct LibraryVersion {
  std::string name;
  std::string version;
};
/// The libraries that read, decompress and normalize, in the versions that are loaded.
std::vector<LibraryVersion> library_versions();

}  // namespace neardup
