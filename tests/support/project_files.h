// Where the tests find files of the project, and the data sets next to it.
#pragma once

#include <filesystem>

namespace neardup::testing {

/// The file or folder `name` of the project, relative to its root.
std::filesystem::path project_file(const char* name);

/// The folder of shared data sets: $NEARDUP_SHARED, by default ../shared next to the project. It may not exist.
std::filesystem::path shared_folder();

}  // namespace neardup::testing
