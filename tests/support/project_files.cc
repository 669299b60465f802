#include "support/project_files.h"

#include <cstdlib>

namespace neardup::testing {

std::filesystem::path project_file(const char* name) {
  return std::filesystem::path(NEARDUP_SOURCE_DIR) / name;
}

std::filesystem::path shared_folder() {
  const char* const given = std::getenv("NEARDUP_SHARED");
  return given != nullptr ? std::filesystem::path(given) : project_file("../shared");
}

}  // namespace neardup::testing
