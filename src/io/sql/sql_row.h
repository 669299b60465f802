// SqlLine: a line of JSON as the values of a row.
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

/// The members of a line, which must be a JSON object; of equal names the first counts, but of those that a run adds ("neardup_...") the
/// last, for a document that was annotated before.
void parse_sql_line(std::string_view line, std::vector<SqlMember>& members);

/// What a column needs to hold the value.
SqlNeed need_of(const SqlCell& value);
/// What holds both.
SqlNeed merged(SqlNeed a, SqlNeed b) noexcept;
SqlFamily family_of(SqlNeed need) noexcept;

}  // namespace neardup
