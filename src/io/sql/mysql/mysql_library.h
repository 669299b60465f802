// MariaDB's client library, libmariadb, which speaks to MySQL too.
//
// The library is not linked: load_mysql_library() loads it when a run first needs it. So the functions below have the names of those that
// its headers declare, and hide them inside the namespace neardup: code in it calls the loaded ones, and cannot call others without a
// linker error.
#pragma once

#include <mysql.h>

#include "io/port/client_library.h"

namespace neardup {

/// Throws Error{kUsage} that names the package if the library is not installed. Thread-safe; the functions can be called afterwards.
void load_mysql_library();

#define NEARDUP_MYSQL_FUNCTIONS(X) \
  X(mariadb_field_attr)            \
  X(mysql_affected_rows)           \
  X(mysql_close)                   \
  X(mysql_errno)                   \
  X(mysql_error)                   \
  X(mysql_fetch_fields)            \
  X(mysql_fetch_lengths)           \
  X(mysql_fetch_row)               \
  X(mysql_free_result)             \
  X(mysql_init)                    \
  X(mysql_num_fields)              \
  X(mysql_optionsv)                \
  X(mysql_real_connect)            \
  X(mysql_real_escape_string)      \
  X(mysql_real_query)              \
  X(mysql_use_result)

NEARDUP_MYSQL_FUNCTIONS(NEARDUP_DECLARE_FUNCTION)

}  // namespace neardup
