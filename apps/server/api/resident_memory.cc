#include "server/api/resident_memory.h"

#include <unistd.h>

#include <fstream>

namespace neardup::server {

uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t pages = 0;
  uint64_t resident = 0;
  file >> pages >> resident;
  return file ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace neardup::server
