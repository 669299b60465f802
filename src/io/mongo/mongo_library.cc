#include "io/mongo/mongo_library.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>

namespace neardup {
namespace {

// The library creates shared memory for its counters when it is loaded. Unlinks it, so that a killed run leaves nothing in /dev/shm, where
// a later process with the same id would find it and the library complain. The counters are not used.
void forget_counters() noexcept {
  char name[32];
  std::snprintf(name, sizeof name, "/mongoc-%u", static_cast<unsigned>(::getpid()));
  ::shm_unlink(name);  // it may be missing
}

}  // namespace

NEARDUP_MONGO_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

void load_mongo_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MongoDB", .file = "libmongoc-1.0.so.0", .package = "libmongoc-1.0-0"});
    forget_counters();
    NEARDUP_MONGO_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

}  // namespace neardup
