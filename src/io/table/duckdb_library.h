// DuckDB's C library, which reads and writes tables: found and loaded when a run first needs it, never linked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/table/duckdb_api.h"

namespace neardup::duck {

/// Where the library may be.
struct LibraryPlace {
  std::string path;
  std::string named_by;  ///< "--duckdb-library" or "NEARDUP_DUCKDB" when the user named it: then it must be there; else empty
};

/// In the order in which they are tried: the option, the environment (NEARDUP_DUCKDB), next to the program, the cache folder
/// (~/.cache/neardup/duckdb, XDG_CACHE_HOME), the path of the loader. The first that the user named is the only one.
std::vector<LibraryPlace> library_places(const std::string& option, const std::function<std::string(const char*)>& environment,
                                         const std::string& program_folder);

/// Loads it, once in a process for each path. Throws Error{kUsage}: one line that says what to install, or what is wrong with the file.
const Api& load_library(const std::string& option);

}  // namespace neardup::duck
