#include "io/sql/postgres/postgres_library.h"

#include <mutex>

#include "io/port/client_library.h"

namespace neardup {

#define NEARDUP_DEFINE(name) decltype(&::name) name = nullptr;
NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_DEFINE)
#undef NEARDUP_DEFINE

void load_postgres_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "PostgreSQL", .file = "libpq.so.5", .package = "libpq5"});
#define NEARDUP_FIND(name) name = reinterpret_cast<decltype(name)>(library.find(#name));
    NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_FIND)
#undef NEARDUP_FIND
  });
}

}  // namespace neardup
