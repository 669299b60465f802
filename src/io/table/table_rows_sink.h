// Sinks for runs whose inputs are all tables of one kind, and whose output is of that kind, too: columns come out as they went in.
//
// Parquet files are copied by DuckDB (ParquetCopy). Rows of CSV and TSV are written from the lines of JSON that their source made of them:
// values come out as they were, quoted where they must be.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/table/table_file.h"
#include "neardup/io.h"

namespace neardup {

/// What a row sink writes.
enum class RowsWritten { kKept, kRemoved, kAnnotated };

/// Null when `target` or an input is something else: then the lines of the records are written. Throws Error{kInput} when the inputs differ
/// in their columns, kOutput.
std::unique_ptr<Sink> make_table_rows_sink(const std::string& target, RowsWritten written, const DocumentSource& source,
                                           const TargetOptions& options);

/// The kept rows of one table in a file of the same kind, for the directory sink. append() takes what format_kept_row() made.
class TableRowsFile : public Committable {
 public:
  virtual void append(std::string_view bytes) = 0;
  virtual void finish() = 0;
};
std::unique_ptr<TableRowsFile> make_table_rows_file(const std::string& path, const TableFile& table, const TargetOptions& options);
void format_kept_row(const Record& record, const TableFile& table, std::string& out);

/// The first row of CSV or TSV. `more` are names of further columns.
std::string csv_header(const TableFile& table, std::string_view more_with_commas = {});
/// Appends the values of one object without the end of the line. An absent value is an empty cell, an empty text is "".
void append_csv_row(std::string_view line, char delimiter, std::string& out);
void append_csv_cell(std::string_view value, char delimiter, std::string& out);
char delimiter_of(TableKind kind) noexcept;

}  // namespace neardup
