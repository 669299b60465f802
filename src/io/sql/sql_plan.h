// SqlPlan: what becomes of a table that a run writes: decided before the run, from what is there and what the options allow.
#pragma once

#include <string>
#include <vector>

#include "io/sql/sql_connection.h"
#include "io/sql/sql_source.h"
#include "neardup/io.h"

namespace neardup {

struct SqlPlan {
  enum class How {
    kCreate,    ///< there was no table
    kReplace,   ///< the old one goes
    kAdd,       ///< rows whose key is not there are added
    kAnnotate,  ///< the table that the documents came from gets columns
  };
  SqlAddress address;
  SqlTable staging;
  How how = How::kCreate;
  TargetOptions::Lines lines = TargetOptions::Lines::kDocuments;
  std::vector<std::string> key;       ///< empty: by the first line
  std::vector<SqlColumn> columns;     ///< of known type: those of the table, or of the table that the documents came from
  bool is_empty = false;              ///< the table has no rows
  bool only_these = false;            ///< lines must have no others
  const SqlOrigin* origin = nullptr;  ///< of the documents, if it is one table on such a server
};

/// Throws Error{kOutput}.
SqlPlan plan_sql_target(const TargetOptions& options, SqlConnection& connection, const SqlAddress& address);

/// The columns that a run adds, with what they hold: of verdicts, or the "neardup_" ones of annotated documents.
struct SqlAddedColumn {
  std::string name;
  SqlNeed need;
};
std::vector<SqlAddedColumn> added_columns(TargetOptions::Lines lines);

}  // namespace neardup
