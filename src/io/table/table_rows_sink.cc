#include "io/table/table_rows_sink.h"

#include <cstring>
#include <utility>
#include <vector>

#include "io/bytes/output_file.h"
#include "io/json/added_members.h"
#include "io/json/json_scan.h"
#include "io/port/connectors.h"
#include "io/port/source_traits.h"
#include "io/table/parquet_copy.h"

namespace neardup {
namespace {

constexpr std::string_view kAddedColumns =
    ",neardup_verdict,neardup_reason,neardup_keeper_id,neardup_keeper_source,neardup_keeper_row,neardup_similarity,neardup_cluster_id,"
    "neardup_cluster_size";

bool writes(RowsWritten written, const Verdict& verdict) {
  return written == RowsWritten::kAnnotated || (written == RowsWritten::kKept) == (verdict.decision == Decision::kKeep);
}

// The data that format() passes to append(): the row and the added fields.
struct NotedRow {
  uint64_t row;
  uint64_t bytes;
};

void note_row(uint64_t row, std::string_view fields, std::string& out) {
  const NotedRow noted{row, fields.size()};
  out.append(reinterpret_cast<const char*>(&noted), sizeof noted);
  out += fields;
}

void add_rows(ParquetCopy& copy, size_t file, std::string_view bytes) {
  while (!bytes.empty()) {
    NotedRow noted;
    std::memcpy(&noted, bytes.data(), sizeof noted);
    copy.add(file, noted.row, bytes.substr(sizeof noted, noted.bytes));
    bytes.remove_prefix(sizeof noted + noted.bytes);
  }
}

class ParquetRowsSink final : public Sink {
 public:
  ParquetRowsSink(const std::string& target, RowsWritten written, const DocumentSource& source, std::vector<const TableFile*> files,
                  const TargetOptions& options)
      : written_(written),
        source_(source),
        first_(source.source_count() - static_cast<uint32_t>(files.size())),
        copy_(target, std::move(files), options, written == RowsWritten::kAnnotated) {}

  [[nodiscard]] bool needs_raw() const noexcept override { return false; }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (!writes(written_, verdict)) return;
    std::string fields;
    if (written_ == RowsWritten::kAnnotated) {
      append_verdict_object("neardup_", verdict, source_, fields);
      fields.push_back('\n');
    }
    note_row(record.where.row, fields, out);
  }
  void append(uint32_t source, std::string_view bytes) override { add_rows(copy_, source - first_, bytes); }
  void commit() override { copy_.commit(); }
  void withdraw() noexcept override { copy_.withdraw(); }

 private:
  const RowsWritten written_;
  const DocumentSource& source_;
  const uint32_t first_;
  ParquetCopy copy_;
};

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

// The first row of CSV or TSV. `more_with_commas` are names of further columns.
std::string csv_header(const TableFile& table, std::string_view more_with_commas = {}) {
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

class CsvRowsSink final : public Sink {
 public:
  CsvRowsSink(const std::string& target, RowsWritten written, const DocumentSource& source, const TableFile& table)
      : written_(written), source_(source), delimiter_(delimiter_of(table_kind_of(target))), file_(target) {
    TableFile header = table;
    header.kind = table_kind_of(target);
    file_.append(csv_header(header, written == RowsWritten::kAnnotated ? kAddedColumns : ""));
  }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (!writes(written_, verdict)) return;
    append_csv_row(record.raw, delimiter_, out);
    if (written_ == RowsWritten::kAnnotated) {
      std::string fields;
      append_verdict_object("neardup_", verdict, source_, fields);
      out.push_back(delimiter_);
      append_csv_row(fields, delimiter_, out);
    }
    out.push_back('\n');
  }
  void append(uint32_t, std::string_view bytes) override { file_.append(bytes); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  const RowsWritten written_;
  const DocumentSource& source_;
  const char delimiter_;
  OutputFile file_;
};

class ParquetRowsFile final : public TableRowsFile {
 public:
  ParquetRowsFile(const std::string& path, const TableFile& table, const TargetOptions& options) : copy_(path, {&table}, options) {}
  void append(std::string_view bytes) override { add_rows(copy_, 0, bytes); }
  void finish() override { copy_.finish(); }
  void commit() override { copy_.commit(); }
  void withdraw() noexcept override { copy_.withdraw(); }

 private:
  ParquetCopy copy_;
};

// Bytes, unchanged, after `head`.
class PlainRowsFile final : public TableRowsFile {
 public:
  explicit PlainRowsFile(const std::string& path, std::string_view head = {}) : file_(path) { file_.append(head); }
  void append(std::string_view bytes) override { file_.append(bytes); }
  void finish() override { file_.finish(); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  OutputFile file_;
};

// The files of all inputs, or none when one of them is not a table of that kind.
std::vector<const TableFile*> files_of(const DocumentSource& source, bool parquet) {
  const TraitsOf traits(source);
  std::vector<const TableFile*> files;
  for (uint32_t i = traits.reference_sources(); i < source.source_count(); ++i) {
    const TableFile* const table = traits.table_of(i);
    if (table == nullptr || (table->kind == TableKind::kParquet) != parquet) return {};
    files.push_back(table);
  }
  return files;
}

}  // namespace

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

std::unique_ptr<Sink> make_table_rows_sink(const std::string& target, RowsWritten written, const DocumentSource& source,
                                           const TargetOptions& options) {
  const TableKind kind = table_kind_of(target);
  if (kind == TableKind::kNone || is_uri(target)) return nullptr;
  const bool parquet = kind == TableKind::kParquet;
  std::vector<const TableFile*> files = files_of(source, parquet);
  if (files.empty()) return nullptr;
  check_same_columns(files, target);
  if (parquet) return std::make_unique<ParquetRowsSink>(target, written, source, std::move(files), options);
  return std::make_unique<CsvRowsSink>(target, written, source, *files.front());
}

std::unique_ptr<TableRowsFile> make_table_rows_file(const std::string& path, const TableFile& table, const TargetOptions& options) {
  if (table.kind == TableKind::kParquet) return std::make_unique<ParquetRowsFile>(path, table, options);
  return std::make_unique<PlainRowsFile>(path, csv_header(table));
}

std::unique_ptr<TableRowsFile> make_plain_rows_file(const std::string& path) {
  return std::make_unique<PlainRowsFile>(path);
}

void format_kept_row(const Record& record, const TableFile& table, std::string& out) {
  if (table.kind == TableKind::kParquet) return note_row(record.where.row, {}, out);
  append_csv_row(record.raw, delimiter_of(table.kind), out);
  out.push_back('\n');
}

}  // namespace neardup
