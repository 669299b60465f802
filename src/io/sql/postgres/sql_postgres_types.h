// The types of PostgreSQL: what a column of a type is, and its values as cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/sql/postgres/postgres_library.h"
#include "io/sql/sql_connection.h"

namespace neardup {

/// Sets what follows from pg_type.oid and pg_type.typcategory of the column's type.
void set_postgres_family(SqlColumn& column, Oid type, std::string_view category);

/// A row as cells; what is not in the result itself stays until the next row.
class PostgresRow {
 public:
  /// Of a result of one row.
  SqlConnection::Row cells(const PGresult* result);

 private:
  std::vector<SqlCell> row_;
  std::vector<std::string> storage_;
};

}  // namespace neardup
