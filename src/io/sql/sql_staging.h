// SqlStaging: writes rows to a table. Collects them in a staging table, NAME_neardup_partial; finish() moves them to the table itself, all
// or none.
//
// For one thread at a time. A block of lines is one transaction. When the connection is lost, the rows are counted on the next one: the
// transaction was committed, or it is sent again. So no row is written twice.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/sql/sql_connection.h"
#include "io/sql/sql_plan.h"
#include "io/sql/sql_row.h"

namespace neardup {

class SqlStaging {
 public:
  /// Throws Error{kOutput} when the table cannot be written as planned.
  SqlStaging(SqlPlan plan, std::unique_ptr<SqlConnection> connection, std::function<bool()> stop);
  /// Without finish(), drops the collected rows.
  ~SqlStaging();
  SqlStaging(const SqlStaging&) = delete;
  SqlStaging& operator=(const SqlStaging&) = delete;

  /// Whole lines.
  void write(std::string_view lines);
  void finish();
  void withdraw() noexcept;

 private:
  struct Column {
    SqlColumn column;
    SqlNeed need = SqlNeed::kNothing;
    bool fixed = false;    // its type is given
    bool skipped = false;  // of the line, but not of the table
    bool seen = false;     // in a line
    bool exists = false;   // in the staging table
    bool changed = false;  // its type must be changed
  };
  using Line = std::vector<std::pair<size_t, SqlValue>>;  // ordinal of the column

  /// Calls use(connection); after a transient failure, again with a new connection.
  template <typename Use>
  void attempt(const Use& use);
  /// Error{kOutput} that names the table.
  [[noreturn]] void fail(const std::string& what) const;
  SqlConnection& connected();
  size_t column_of(const std::string& name);
  void fit_columns(bool last);
  void create();
  void set_family(Column& column) const;
  [[nodiscard]] std::string type_of(const Column& column) const;
  [[nodiscard]] std::vector<std::string> statements(const std::vector<Line>& lines);
  void send(const std::vector<std::string>& statements, uint64_t rows);
  void name_duplicate(const std::vector<Line>& lines);
  void require_key(const Line& line) const;
  [[nodiscard]] bool is_there(const SqlTable& table);
  [[nodiscard]] uint64_t count(const SqlTable& table);
  /// Throws unless the staging table has `rows`.
  void require_rows(uint64_t rows);
  [[nodiscard]] bool is_key(const std::string& name) const;
  [[nodiscard]] std::string same_key() const;
  void add_missing();
  void annotate();
  void insert_rows();

  const SqlPlan plan_;
  std::unique_ptr<SqlConnection> connection_;
  const std::function<bool()> stop_;
  std::vector<Column> columns_;
  std::map<std::string, size_t> by_name_;
  std::vector<SqlMember> members_;
  std::vector<std::string> key_;
  bool created_ = false;
  bool finished_ = false;
  uint64_t rows_ = 0;  // in the staging table
};

}  // namespace neardup
