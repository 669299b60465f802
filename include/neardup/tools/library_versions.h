// The libraries that a build uses, and the one that reads tables: for bug reports.
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

/// DuckDB's library, which is loaded only where tables are read or written.
struct TableLibrary {
  std::string version;  ///< "v1.5.6"
  std::string path;
  std::string problem;  ///< not empty: why there is none
};
/// `option` as Options::duckdb_library.
TableLibrary table_library(const std::string& option);

}  // namespace neardup
