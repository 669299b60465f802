// A line of JSON as the values of a row, and a JSON array as the text that PostgreSQL reads as an array.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/sql/sql_connection.h"

namespace neardup {

struct SqlMember {
  std::string name;
  SqlValue value;
};

/// The members of a line, which must be a JSON object; of equal names the first counts, but of those added by a run ("neardup_...") the
/// last, for documents that were annotated before.
void parse_sql_line(std::string_view line, std::vector<SqlMember>& members);

/// The type that a column needs to hold the value.
SqlNeed need_of(const SqlCell& value);
/// The type that holds both.
SqlNeed merged(SqlNeed a, SqlNeed b) noexcept;
SqlFamily family_of(SqlNeed need) noexcept;

/// The text of an array for PostgreSQL (manual, section 8.15.6). Requires a JSON array. Elements are quoted; null is NULL; arrays inside
/// are further dimensions.
std::string postgres_array(std::string_view json);

}  // namespace neardup
