#include "io/sql/mysql/mysql_library.h"

#include <mutex>

#include "io/port/client_library.h"

namespace neardup {

#define NEARDUP_DEFINE(name) decltype(&::name) name = nullptr;
NEARDUP_MYSQL_FUNCTIONS(NEARDUP_DEFINE)
#undef NEARDUP_DEFINE

void load_mysql_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MySQL or MariaDB", .file = "libmariadb.so.3", .package = "libmariadb3"});
#define NEARDUP_FIND(name) name = reinterpret_cast<decltype(name)>(library.find(#name));
    NEARDUP_MYSQL_FUNCTIONS(NEARDUP_FIND)
#undef NEARDUP_FIND
  });
}

}  // namespace neardup
