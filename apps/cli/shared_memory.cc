#include "cli/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace neardup::cli {

void forget_driver_counters() noexcept {
  char name[32];
  std::snprintf(name, sizeof name, "/mongoc-%u", static_cast<unsigned>(::getpid()));
  ::shm_unlink(name);  // none there is as good
}

}  // namespace neardup::cli
