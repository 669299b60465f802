#include "io/sql/mysql/mysql_library.h"

#include <mutex>

namespace neardup {

NEARDUP_MYSQL_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

void load_mysql_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MySQL or MariaDB", .file = "libmariadb.so.3", .package = "libmariadb3"});
    NEARDUP_MYSQL_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

}  // namespace neardup
