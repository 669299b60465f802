// TableFile: one Parquet, CSV or TSV file as DuckDB sees it: its columns, the sizes of its row groups, its name in SQL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes/input_file.h"
#include "io/bytes/name_ending.h"
#include "io/table/duckdb_database.h"
#include "io/table/table_json.h"
#include "neardup/options.h"

namespace neardup {

struct TableColumn {
  std::string name;
  std::string sql_type;  ///< "DECIMAL(18,3)", as DuckDB writes it
  ColumnType type;
  bool milliseconds = false;  ///< a Parquet timestamp without zone whose unit is the millisecond, which DuckDB reads as microseconds
};

struct RowGroup {
  uint64_t rows = 0;
  uint64_t bytes = 0;  ///< of all columns, before compression
};

struct TableFile {
  std::string path;  ///< as the user gave it; also the name of the source
  TableKind kind = TableKind::kNone;
  FileStamp stamp;
  std::vector<TableColumn> columns;
  std::string codec;                                          ///< of Parquet: of its first pages, as COPY names it; empty: there are none
  std::vector<RowGroup> groups;                               ///< of Parquet
  std::vector<std::pair<std::string, std::string>> metadata;  ///< of Parquet: metadata of other programs in the footer, valid UTF-8 only

  /// The columns that a field named with dots may be in: one of that name, or one whose name is the part before a dot. Ascending.
  [[nodiscard]] std::vector<size_t> columns_of(std::string_view field) const;
  /// "id, text, url", for messages.
  [[nodiscard]] std::string column_names() const;
  /// What follows FROM. `row_numbers`: of Parquet, with the column file_row_number, from 0.
  [[nodiscard]] std::string scan(bool row_numbers) const;
  /// Throws Error{kInput} when the file changed.
  void check_unchanged() const;
};

/// Reads the file's metadata. Throws Error{kInput}: it is not such a file, it is damaged, two columns have one name.
TableFile open_table(duck::Connection& connection, std::string path, TableKind kind, const FileStamp& stamp);

/// Throws Error{kInput} that names the file and the column when one has other columns than the first: `output` can have only one set.
void check_same_columns(const std::vector<const TableFile*>& files, const std::string& output);

/// "cannot read 'x.parquet': what DuckDB says".
[[noreturn]] void fail_to_read_table(std::string_view path, std::string_view where, const duck::Failure& failure);

/// A path for DuckDB, in quotes, with pattern characters escaped.
std::string table_path_sql(std::string_view path);

}  // namespace neardup
