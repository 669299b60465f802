// A result of MySQL as columns and cells.
#pragma once

#include <vector>

#include "io/sql/mysql/mysql_library.h"
#include "io/sql/sql_connection.h"

namespace neardup {

/// Of what a statement selects; types are not known from it.
std::vector<SqlColumn> columns_in(MYSQL_RES* result);

/// Fetches the rows one by one, until the last or an error, which the session keeps.
void visit_rows(MYSQL_RES* result, const SqlConnection::Visit& visit);

}  // namespace neardup
