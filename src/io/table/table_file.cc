#include "io/table/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/json/json_path.h"
#include "neardup/error.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// The longest row of a CSV file, and the size of DuckDB's buffer, which must hold one.
constexpr uint64_t kMaxCsvLine = 16u << 20;
constexpr uint64_t kCsvBuffer = 32u << 20;

// DuckDB would rename the second one silently.
void refuse_same_names(const TableFile& file, const std::vector<std::string>& names) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty() || seen.insert(ascii_lower(name)).second) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' has two columns named '{}' (upper and lower case count as the same)", file.path, name));
  }
}

std::string text_at(const duck::Chunk& chunk, const duck::Api& api, uint64_t column, uint64_t row) {
  duck::VectorHandle* const vector = chunk.column(column);
  if (!duck::is_valid(api.vector_get_validity(vector), row)) return {};
  return std::string(static_cast<const duck::String*>(api.vector_get_data(vector))[row].view());
}

// All rows of a query whose columns are texts.
std::vector<std::vector<std::string>> texts_of(duck::Connection& connection, const std::string& sql) {
  std::vector<std::vector<std::string>> rows;
  duck::Rows result(connection, sql);
  const uint64_t columns = result.columns();
  while (const duck::Chunk chunk = result.fetch()) {
    for (uint64_t row = 0; row < chunk.rows(); ++row) {
      auto& cells = rows.emplace_back();
      for (uint64_t column = 0; column < columns; ++column) cells.push_back(text_at(chunk, connection.api(), column, row));
    }
  }
  return rows;
}

// `rest`: options for finding the columns.
std::string csv_scan(const TableFile& file, const std::string& rest) {
  return fmt::format(
      "read_csv({}, delim='{}', quote='\"', escape='\"', comment='', allow_quoted_nulls=false, hive_partitioning=false, max_line_size={}, "
      "buffer_size={}, {})",
      table_path_sql(file.path), file.kind == TableKind::kTsv ? "\t" : ",", kMaxCsvLine, kCsvBuffer, rest);
}

// Name and converted type of the columns of a Parquet file.
std::vector<std::vector<std::string>> parquet_columns(duck::Connection& connection, const TableFile& file) {
  // The schema is a tree in the order of its text; the first row is the root.
  const auto rows = texts_of(connection, fmt::format("SELECT name, coalesce(converted_type, ''), coalesce(num_children, 0)::VARCHAR "
                                                     "FROM parquet_schema({})",
                                                     table_path_sql(file.path)));
  std::vector<std::vector<std::string>> columns;
  std::vector<uint64_t> open;  // children still expected of the nodes above
  for (const auto& row : rows) {
    while (!open.empty() && open.back() == 0) open.pop_back();
    if (!open.empty()) --open.back();
    if (open.size() == 1) columns.push_back({row[0], row[1]});
    open.push_back(std::stoull(row[2]));
  }
  return columns;
}

// The names of the columns as written in the file.
std::vector<std::string> written_names(duck::Connection& connection, const TableFile& file) {
  if (file.kind != TableKind::kParquet) {
    // Independent of the other rows: those that do not fit are reported when they are read.
    auto rows = texts_of(
        connection, fmt::format("SELECT * FROM {} LIMIT 1",
                                csv_scan(file, "header=false, all_varchar=true, null_padding=true, ignore_errors=true, parallel=false")));
    std::vector<std::string> names = rows.empty() ? std::vector<std::string>{} : std::move(rows.front());
    while (!names.empty() && names.back().empty()) names.pop_back();
    return names;
  }
  std::vector<std::string> names;
  for (const auto& row : parquet_columns(connection, file)) names.push_back(row[0]);
  return names;
}

void read_columns(duck::Connection& connection, TableFile& file, const std::vector<std::string>& names) {
  if (file.kind != TableKind::kParquet) {
    ColumnType text;
    text.id = duck::Type::kVarchar;
    for (size_t i = 0; i < names.size(); ++i) {
      file.columns.push_back({names[i].empty() ? fmt::format("column{}", i + 1) : names[i], "VARCHAR", text, false});
    }
    return;
  }
  const auto described =
      texts_of(connection, fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", file.scan(false)));
  duck::Rows rows(connection, fmt::format("SELECT * FROM {} LIMIT 0", file.scan(false)));
  for (uint64_t i = 0; i < rows.columns(); ++i) {
    duck::TypeHandle* handle = rows.type(i);
    file.columns.push_back({rows.name(i), described.at(i)[1], read_type(rows.api(), handle), false});
    rows.api().destroy_logical_type(&handle);
    // DuckDB uses these names to identify rows.
    if (const std::string name = ascii_lower(file.columns.back().name); name == "file_row_number" || name == "file_index") {
      throw Error(ErrorCode::kInput, fmt::format("'{}' has a column '{}': rename it, DuckDB uses that name itself", file.path, name));
    }
  }
  const auto written = parquet_columns(connection, file);
  for (size_t i = 0; i < std::min(written.size(), file.columns.size()); ++i) {
    file.columns[i].milliseconds = file.columns[i].type.id == duck::Type::kTimestamp && written[i][1] == "TIMESTAMP_MILLIS";
  }
}

void read_metadata(duck::Connection& connection, TableFile& file) {
  const auto rows = texts_of(connection, fmt::format("SELECT key, value FROM parquet_kv_metadata({})", table_path_sql(file.path)));
  for (const auto& row : rows) {
    const bool text = is_valid_utf8(row[0]) && is_valid_utf8(row[1]) && (row[0] + row[1]).find('\0') == std::string::npos;
    if (text && !row[0].empty()) file.metadata.emplace_back(row[0], row[1]);
  }
}

void read_groups(duck::Connection& connection, TableFile& file) {
  const auto rows =
      texts_of(connection, fmt::format("SELECT any_value(row_group_num_rows)::VARCHAR, sum(total_uncompressed_size)::VARCHAR, "
                                       "lower(min(compression)) "
                                       "FROM parquet_metadata({}) GROUP BY row_group_id ORDER BY row_group_id",
                                       table_path_sql(file.path)));
  for (const auto& row : rows) file.groups.push_back({std::stoull(row[0]), std::stoull(row[1])});
  constexpr std::string_view kCodecs[] = {"uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4", "lz4_raw"};
  if (!rows.empty() && std::ranges::find(kCodecs, rows.front()[2]) != std::end(kCodecs)) file.codec = rows.front()[2];
}

}  // namespace

std::vector<size_t> TableFile::columns_of(std::string_view field) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (leads_into(columns[i].name, field)) found.push_back(i);
  }
  return found;
}

std::string TableFile::column_names() const {
  return fmt::format("{}", fmt::join(columns | std::views::transform(&TableColumn::name), ", "));
}

std::string TableFile::scan(bool row_numbers) const {
  if (kind != TableKind::kParquet) {
    std::string names;
    for (const TableColumn& column : columns)
      names += fmt::format("{}{}: 'VARCHAR'", names.empty() ? "" : ", ", duck::quote_text(column.name));
    return csv_scan(*this, fmt::format("auto_detect=false, header=true, columns={{{}}}", names));
  }
  return fmt::format("read_parquet({}, file_row_number={}, hive_partitioning=false)", table_path_sql(path), row_numbers);
}

void TableFile::check_unchanged() const {
  InputFile(path).check(stamp);
}

TableFile open_table(duck::Connection& connection, std::string path, TableKind kind, const FileStamp& stamp) {
  TableFile file{.path = std::move(path), .kind = kind, .stamp = stamp, .columns = {}, .codec = {}, .groups = {}, .metadata = {}};
  if (stamp.size == 0) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' is empty: {}", file.path,
                            kind == TableKind::kParquet ? "a Parquet file has a footer" : "its first row has to name the columns"));
  }
  if (kind != TableKind::kParquet && compression_of_name(file.path) == Compression::kBzip2) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': CSV and TSV are read plain or compressed by gzip or zstd, not by bzip2", file.path));
  }
  file.check_unchanged();
  try {
    const std::vector<std::string> names = written_names(connection, file);
    refuse_same_names(file, names);
    read_columns(connection, file, names);
    if (kind == TableKind::kParquet) {
      read_groups(connection, file);
      read_metadata(connection, file);
    }
  } catch (const duck::Failure& failure) {
    fail_to_read_table(file.path, "", failure);
  }
  return file;
}

void fail_to_read_table(std::string_view path, std::string_view where, const duck::Failure& failure) {
  const std::string_view what = failure.what();
  // DuckDB's own messages assume that the user chose the format.
  const std::string_view problem = what.find("No magic bytes found") != std::string_view::npos
                                       ? "it is not a Parquet file, or it is cut off"
                                   : what.find("not possible to automatically detect the CSV parsing dialect") != std::string_view::npos
                                       ? "it is not CSV or TSV: no separator and number of columns fit its lines"
                                       : what;
  throw Error(ErrorCode::kInput, fmt::format("cannot read '{}'{}: {}", path, where, problem));
}

std::string table_path_sql(std::string_view path) {
  std::string pattern = path.starts_with('~') ? "./" : "";
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      pattern += {'[', c, ']'};
    } else {
      pattern.push_back(c);
    }
  }
  return duck::quote_text(pattern);
}

void check_same_columns(const std::vector<const TableFile*>& files, const std::string& output) {
  const TableFile& first = *files.front();
  const auto fail = [&](const TableFile& file, const std::string& how) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}' {}: rows of both cannot go to '{}' with their columns as they are; give --output-dir, or "
                            "a name that ends in .jsonl",
                            file.path, how, output));
  };
  for (const TableFile* file : files) {
    for (size_t i = 0; i < std::max(file->columns.size(), first.columns.size()); ++i) {
      if (i >= file->columns.size()) fail(*file, fmt::format("has no column '{}', which '{}' has", first.columns[i].name, first.path));
      const TableColumn& column = file->columns[i];
      if (i >= first.columns.size() || column.name != first.columns[i].name) {
        fail(*file, fmt::format("has the column '{}' where '{}' has {}", column.name, first.path,
                                i < first.columns.size() ? "'" + first.columns[i].name + "'" : "none"));
      }
      if (column.sql_type != first.columns[i].sql_type) {
        fail(*file,
             fmt::format("has the column '{}' as {}, '{}' as {}", column.name, column.sql_type, first.path, first.columns[i].sql_type));
      }
    }
  }
}

}  // namespace neardup
