#include "io/table/csv_cells.h"

#include "io/json/json_detail.h"
#include "io/json/json_scan.h"

namespace neardup {

char delimiter_of(TableKind kind) noexcept {
  return kind == TableKind::kTsv ? '\t' : ',';
}

void append_csv_cell(std::string_view value, char delimiter, std::string& out) {
  const char special[] = {delimiter, '"', '\n', '\r'};
  if (!value.empty() && value.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
    out += value;
    return;
  }
  out.push_back('"');
  for (const char c : value) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

std::string csv_header(const TableFile& table, std::string_view more_with_commas) {
  const char delimiter = delimiter_of(table.kind);
  std::string header;
  for (const TableColumn& column : table.columns) {
    if (!header.empty()) header.push_back(delimiter);
    append_csv_cell(column.name, delimiter, header);
  }
  for (const char c : more_with_commas) header.push_back(c == ',' ? delimiter : c);
  header.push_back('\n');
  return header;
}

void append_csv_row(std::string_view line, char delimiter, std::string& out) {
  std::string value;
  size_t at = 1;  // after the brace
  const auto skip_string = [&] {
    for (++at; line[at] != '"'; ++at) {
      if (line[at] == '\\') ++at;
    }
    ++at;
  };
  // Our own writer made the line: no white space, and values are strings, numbers and nulls.
  for (bool first = true; at < line.size() && line[at] == '"'; first = false) {
    if (!first) out.push_back(delimiter);
    skip_string();
    ++at;  // the colon
    const JsonCursor cursor(line, at);
    if (line[at] == '"') {
      cursor.string(value);
      append_csv_cell(value, delimiter, out);
      skip_string();
    } else {
      const std::string_view scalar = cursor.scalar();
      if (scalar != "null") append_csv_cell(scalar, delimiter, out);
      at += scalar.size();
    }
    ++at;  // the comma
  }
}

}  // namespace neardup
