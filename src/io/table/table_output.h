// TableOutput: a Parquet, CSV or TSV file that DuckDB writes from a query. It appears under its name at commit().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/atomic_file.h"
#include "io/table/duckdb_database.h"
#include "io/table/table_file.h"
#include "neardup/io.h"

namespace neardup {

class TableOutput {
 public:
  /// Throws Error{kOutput}, and kUsage when there is no library: before the run, not after it.
  TableOutput(const std::string& path, const TargetOptions& options);

  [[nodiscard]] duck::Database& database() noexcept { return *database_; }
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }
  /// Writes the result of `select`. Returns the number of rows. `more` are further options of COPY; `codec` is of Parquet, zstd if it is
  /// empty. Throws Error{kOutput}.
  uint64_t write(duck::Connection& connection, const std::string& select, const std::string& more = {}, const std::string& codec = {});
  /// Closes the file and the database, after all connections: a run may have more outputs than it can hold open.
  void finish();
  void commit() { file_.commit(); }
  void withdraw() noexcept { file_.withdraw(); }

 private:
  AtomicFile file_;
  std::unique_ptr<duck::Database> database_;
};

/// DuckDB's name for an open file without a name.
std::string descriptor_path(int descriptor);

}  // namespace neardup
