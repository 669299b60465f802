// Tables and queries of SQL databases as a source. SqlOrigin: tells a target in a database about the table of the documents.
#pragma once

#include <string>
#include <vector>

#include "io/port/connectors.h"
#include "io/sql/sql_connection.h"

namespace neardup {

class SqlOrigin {
 public:
  virtual ~SqlOrigin() = default;
  [[nodiscard]] virtual SqlServer server() const noexcept = 0;
  /// Empty for a query.
  [[nodiscard]] virtual const std::string& identity() const noexcept = 0;
  [[nodiscard]] virtual const std::vector<SqlColumn>& columns() const noexcept = 0;
  [[nodiscard]] virtual const std::string& key() const noexcept = 0;
  /// Ends the transactions that read the table, so that it can be changed. Requires that no reader is active.
  virtual void release() const = 0;
};

const SourceKind& sql_source_kind();

}  // namespace neardup
