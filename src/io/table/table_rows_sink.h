// Sinks for runs whose inputs are all tables of one kind, and whose output is of that kind, too: columns come out as they went in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

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

}  // namespace neardup
