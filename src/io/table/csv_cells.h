// Rows of CSV and TSV, from the lines of JSON that their source made of them: values come out as they were, quoted where they must be.
#pragma once

#include <string>
#include <string_view>

#include "io/table/table_file.h"

namespace neardup {

/// The first row. `more` are names of further columns.
std::string csv_header(const TableFile& table, std::string_view more_with_commas = {});
/// Appends the values of one object without the end of the line. An absent value is an empty cell, an empty text is "".
void append_csv_row(std::string_view line, char delimiter, std::string& out);
void append_csv_cell(std::string_view value, char delimiter, std::string& out);
char delimiter_of(TableKind kind) noexcept;

}  // namespace neardup
