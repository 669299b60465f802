// SqlPlan: how a run writes a table, decided before the run from the existing table and the options.
#pragma once

#include <string>
#include <vector>

#include "io/sql/sql_connection.h"
#include "io/sql/sql_source.h"
#include "neardup/io.h"

namespace neardup {

struct SqlPlan {
  enum class How {
    kCreate,    ///< the table does not exist
    kReplace,   ///< the old table is replaced
    kAdd,       ///< adds rows with new keys
    kAnnotate,  ///< adds columns to the table of the documents
  };
  SqlAddress address;
  SqlTable staging;
  How how = How::kCreate;
  TargetOptions::Lines lines = TargetOptions::Lines::kDocuments;
  std::vector<std::string> key;       ///< empty: by the first line
  std::vector<SqlColumn> columns;     ///< of known type: those of the table, or of the table that the documents came from
  bool is_empty = false;              ///< the table has no rows
  bool only_these = false;            ///< lines must not have others
  const SqlOrigin* origin = nullptr;  ///< of the documents, if it is one table on such a server
};

/// Throws Error{kOutput}.
SqlPlan plan_sql_target(const TargetOptions& options, SqlConnection& connection, const SqlAddress& address);

/// The columns that a run adds, with their types: those of verdicts, or the "neardup_" ones of annotated documents.
struct SqlAddedColumn {
  std::string name;
  SqlNeed need;
};
std::vector<SqlAddedColumn> added_columns(TargetOptions::Lines lines);

}  // namespace neardup
