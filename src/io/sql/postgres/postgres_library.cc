#include "io/sql/postgres/postgres_library.h"

#include <mutex>

namespace neardup {

NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

void load_postgres_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "PostgreSQL", .file = "libpq.so.5", .package = "libpq5"});
    NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

}  // namespace neardup
