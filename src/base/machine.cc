#include "neardup/tools/machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/temp_file.h"
#include "neardup/error.h"

namespace neardup {

uint32_t machine_cores() noexcept {
  return resolve_threads(0);
}

uint64_t machine_memory_bytes() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : 0;
}

uint64_t peak_memory_bytes() noexcept {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

std::string temp_dir_problem(const std::string& directory) {
  try {
    TempFile file(directory);
    file.append("x", 1);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace neardup
