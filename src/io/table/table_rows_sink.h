// Sinks for runs whose inputs are all tables of one kind, and whose output is of that kind, too: columns are preserved.
//
// Parquet files are copied by DuckDB (ParquetCopy). Rows of CSV and TSV are written from their source's lines of JSON: values are
// preserved, quoted if necessary.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/table/table_file.h"
#include "neardup/io.h"

namespace neardup {

/// The rows that a row sink writes.
enum class RowsWritten { kKept, kRemoved, kAnnotated };

/// Null if `target` or an input is of another kind: then the lines of the records are written. Throws Error{kInput} when the inputs differ
/// in their columns, kOutput.
std::unique_ptr<Sink> make_table_rows_sink(const std::string& target, RowsWritten written, const DocumentSource& source,
                                           const TargetOptions& options);

/// A file for the directory sink. append() takes the result of format_kept_row() for a table, else the bytes of the file.
class TableRowsFile : public Committable {
 public:
  virtual void append(std::string_view bytes) = 0;
  virtual void finish() = 0;
};
/// The kept rows of one table in a file of the same kind.
std::unique_ptr<TableRowsFile> make_table_rows_file(const std::string& path, const TableFile& table, const TargetOptions& options);
/// Bytes, unchanged.
std::unique_ptr<TableRowsFile> make_plain_rows_file(const std::string& path);
/// Appends the values of one object without the end of the line. An absent value is an empty cell, an empty text is "".
void append_csv_row(std::string_view line, char delimiter, std::string& out);
void format_kept_row(const Record& record, const TableFile& table, std::string& out);

}  // namespace neardup
