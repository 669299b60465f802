#include "io/table/table_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/files/charset.h"
#include "io/files/input_list.h"
#include "io/files/line_batch.h"
#include "io/port/source_traits.h"
#include "io/table/table_file.h"
#include "io/table/table_json.h"
#include "io/table/table_rows.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

// Lines are made and visited in pieces of about this size, so that a batch of wide rows is not in memory twice.
constexpr size_t kPieceBytes = 1u << 20;
// Wanted rows are written in runs of at most this many.
constexpr uint64_t kRunRows = 64;

// The columns of a query, and their conversion.
struct Projection {
  std::string select;
  RowWriter writer;
};

struct OpenTable {
  TableFile file;
  std::vector<RowRange> ranges;  // of Parquet
  uint64_t rows = 0;             // of Parquet
  std::optional<Projection> needed;
  std::optional<Projection> all;
};

// A batch of rows: of a range of a Parquet file, or of pieces of a CSV file that were fetched already.
class TableBatch final : public Batch {
 public:
  TableBatch(const OpenTable& table, uint32_t source, uint64_t rows, uint64_t input_bytes, LineContext& context, const duck::Api& api)
      : table_(table), source_(source), rows_(rows), input_bytes_(input_bytes), context_(context), api_(api) {}

  void set_range(ParquetRows& reader, const RowRange& range) {
    reader_ = &reader;
    range_ = range;
  }
  void set_pieces(std::vector<ChunkRows> pieces) { pieces_ = std::move(pieces); }

  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override;
  [[nodiscard]] uint32_t source() const noexcept override { return source_; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  void read_rows(Need need, const Visitor& visit);

  const OpenTable& table_;
  const uint32_t source_;
  const uint64_t rows_;
  const uint64_t input_bytes_;
  LineContext& context_;
  const duck::Api& api_;
  ParquetRows* reader_ = nullptr;
  RowRange range_;
  std::vector<ChunkRows> pieces_;
  std::vector<uint32_t> ordinals_;  // of the wanted records
};

uint32_t TableBatch::read(Need need, const Filter& wanted, const Visitor& visit) {
  const auto records = static_cast<uint32_t>(rows_);
  ordinals_.clear();
  for (uint32_t i = 0; i < records; ++i) {
    if (!wanted || wanted(i)) ordinals_.push_back(i);
  }
  if (need == Need::kPlace) {
    Record record;
    for (const uint32_t i : ordinals_) {
      record.where = {.source = source_, .row = uint64_t{i} + 1};
      visit(i, record);
    }
  } else if (!ordinals_.empty()) {
    read_rows(need, visit);
  }
  return records;
}

void TableBatch::read_rows(Need need, const Visitor& visit) {
  const Projection& projection = need == Need::kText ? *table_.needed : *table_.all;
  const std::vector<ChunkRows> fetched =
      reader_ != nullptr ? reader_->read(table_.file, range_, projection.select) : std::vector<ChunkRows>{};
  std::string lines;
  size_t visited = 0;  // of ordinals_
  size_t written = 0;
  uint64_t first = 0;  // row of the batch at which the piece begins
  const auto pass_on = [&] {
    const size_t bytes = lines.size();
    lines.append(kJsonPadding, '\0');
    visit_lines(context_, source_, std::string_view(lines).substr(0, bytes), {}, need, {}, [&](uint32_t line, const Record& record) {
      Record placed = record;
      placed.where.row = uint64_t{ordinals_[visited + line]} + 1;
      visit(ordinals_[visited + line], placed);
    });
    visited = written;
    lines.clear();
  };
  for (const ChunkRows& piece : reader_ != nullptr ? fetched : pieces_) {
    const uint64_t end = first + piece.end - piece.begin;
    while (written < ordinals_.size() && ordinals_[written] < end) {
      // A run of consecutive wanted rows.
      const uint64_t begin = ordinals_[written];
      uint64_t run = begin;
      while (written < ordinals_.size() && ordinals_[written] == run && run < end && run - begin < kRunRows) ++written, ++run;
      projection.writer.append(api_, *piece.chunk, piece.begin + begin - first, piece.begin + run - first, lines);
      if (lines.size() >= kPieceBytes) pass_on();
    }
    first = end;
  }
  if (visited < written) pass_on();
}

Projection project(const TableFile& file, const std::vector<size_t>& columns, const std::string& rank_field) {
  std::vector<std::string> select;
  std::vector<RowWriter::Column> written;
  const bool parquet = file.kind == TableKind::kParquet;
  for (const size_t i : columns) {
    const TableColumn& column = file.columns[i];
    const bool is_written = column.type.is_written();
    const std::string name = duck::quote_name(column.name);
    select.push_back(is_written ? name : fmt::format("CAST(to_json({}) AS VARCHAR)", name));
    written.push_back({.name = column.name,
                       .type = is_written ? column.type : ColumnType{.id = duck::Type::kVarchar, .names = {}, .children = {}},
                       .at = parquet ? written.size() : i,
                       .is_json = !is_written,
                       .is_number = !parquet && column.name == rank_field});
  }
  return {fmt::format("{}", fmt::join(select, ", ")), RowWriter(std::move(written))};
}

class TableSource final : public DocumentSource, public SourceTraits {
 public:
  TableSource(const std::vector<std::pair<InputEntry, TableKind>>& inputs, const SourceOptions& options)
      : database_({.library = options.duckdb_library, .memory_bytes = options.memory, .temp_dir = options.temp_dir}),
        context_(options),
        rows_(database_) {
    database_connection_.emplace(database_);
    for (const auto& [entry, kind] : inputs) open(entry, kind, options);
    database_connection_.reset();
  }

  std::unique_ptr<Batch> next() override {
    for (; at_ < tables_.size(); ++at_, range_ = 0) {
      auto batch = tables_[at_].file.kind == TableKind::kParquet ? next_range() : next_lines();
      if (batch) return batch;
    }
    return nullptr;
  }
  void rewind() override {
    csv_.reset();
    rows_.clear();
    at_ = 0;
    range_ = 0;
  }

  [[nodiscard]] uint32_t source_count() const noexcept override { return static_cast<uint32_t>(tables_.size()); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return tables_[source].file.path; }
  [[nodiscard]] std::string state_of(uint32_t source) const override {
    const FileStamp& stamp = tables_[source].file.stamp;
    return fmt::format("{} bytes, modified at {} ns", stamp.size, stamp.modified_ns);
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return total_bytes_; }

  [[nodiscard]] bool is_text(uint32_t) const noexcept override { return false; }
  [[nodiscard]] bool any_text() const noexcept override { return false; }
  [[nodiscard]] uint32_t reference_sources() const noexcept override { return 0; }
  [[nodiscard]] const TableFile* table_of(uint32_t source) const noexcept override { return &tables_[source].file; }

 private:
  void open(const InputEntry& entry, TableKind kind, const SourceOptions& options) {
    OpenTable table;
    table.file = open_table(*database_connection_, entry.path, kind, entry.stamp);
    std::vector<size_t> needed;
    const auto add = [&](const std::string& field, std::string_view option, bool required) {
      if (field.empty()) return;
      const std::vector<size_t> found = table.file.columns_of(field);
      if (found.empty() && required) fail_without_column(table.file, field, option);
      needed.insert(needed.end(), found.begin(), found.end());
    };
    for (const std::string& field : options.text_field) add(field, "text_field", true);
    add(context_.fields.id, "id_field", options.id_field != kAutoIdField);
    add(options.rank_field, "keep", true);
    add(options.block_field, "block_on", true);
    for (const FieldValue& rule : options.protect) add(rule.field, "protect", true);
    for (const std::string& field : options.required_fields) {
      if (table.file.columns_of(field).empty()) fail_without_column(table.file, field, "fields");
    }
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    std::vector<size_t> all(table.file.columns.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    table.needed = project(table.file, needed, options.rank_field);
    table.all = project(table.file, all, options.rank_field);
    table.ranges = cut_rows(table.file.groups, context_.batch_bytes);
    for (const RowGroup& group : table.file.groups) table.rows += group.rows;
    total_bytes_ += entry.stamp.size;
    tables_.push_back(std::move(table));
  }

  [[noreturn]] static void fail_without_column(const TableFile& file, const std::string& field, std::string_view option) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' has no column '{}' ({}); its columns are: {}{}", file.path, field, option,
                                               file.column_names(), file.kind == TableKind::kParquet ? "" : " (the first row names them)"));
  }

  std::unique_ptr<Batch> next_range() {
    const OpenTable& table = tables_[at_];
    if (range_ == table.ranges.size()) return nullptr;
    const RowRange& range = table.ranges[range_++];
    // Shares of the file whose sum is its size.
    const auto share = [&](uint64_t row) {
      return static_cast<uint64_t>(static_cast<long double>(table.file.stamp.size) * static_cast<long double>(row) /
                                   static_cast<long double>(table.rows));
    };
    const uint64_t bytes = share(range.first + range.rows) - share(range.first);
    auto batch = std::make_unique<TableBatch>(table, static_cast<uint32_t>(at_), range.rows, bytes, context_, database_.api());
    batch->set_range(rows_, range);
    return batch;
  }

  std::unique_ptr<Batch> next_lines() {
    const OpenTable& table = tables_[at_];
    if (!csv_) {
      csv_ = std::make_unique<CsvRows>(database_, table.file);
      bytes_left_ = table.file.stamp.size;
    }
    CsvRows::Part part = csv_->next(context_.batch_bytes);
    if (part.rows == 0) {
      csv_.reset();
      return nullptr;
    }
    const uint64_t bytes = part.last ? bytes_left_ : std::min(part.bytes, bytes_left_);
    bytes_left_ -= bytes;
    auto batch = std::make_unique<TableBatch>(table, static_cast<uint32_t>(at_), part.rows, bytes, context_, database_.api());
    batch->set_pieces(std::move(part.pieces));
    return batch;
  }

  duck::Database database_;
  LineContext context_;
  ParquetRows rows_;
  std::optional<duck::Connection> database_connection_;  // while files are opened
  std::vector<OpenTable> tables_;
  std::unique_ptr<CsvRows> csv_;  // of the file that is read, if it is one
  uint64_t bytes_left_ = 0;       // of that file
  uint64_t total_bytes_ = 0;
  size_t at_ = 0;
  size_t range_ = 0;
};

TableKind kind_of(const std::string& input, InputFormat format) {
  if (format != InputFormat::kAuto) return table_kind_of(format);
  const size_t end = input.find_last_not_of('/');
  return table_kind_of(std::string_view(input).substr(0, end == std::string::npos ? 0 : end + 1));
}

bool takes(const std::string& input, InputFormat format) {
  return !is_uri(input) && kind_of(input, format) != TableKind::kNone;
}

InputFormat format_of(TableKind kind) {
  return kind == TableKind::kParquet ? InputFormat::kParquet : kind == TableKind::kCsv ? InputFormat::kCsv : InputFormat::kTsv;
}

void check_charset(const std::string& path, const SourceOptions& options) {
  const Charset charset = Charset::parse(options.charset);
  if (charset.is_utf8() || charset.is_auto()) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("charset: '{}' is a table, whose texts are UTF-8; {} is for text files", path, charset.name()));
}

std::unique_ptr<DocumentSource> open_all(const std::vector<std::string>& inputs, const SourceOptions& options) {
  check_charset(inputs[0], options);
  std::vector<std::pair<InputEntry, TableKind>> files;
  std::unordered_set<std::string> seen;
  for (const std::string& input : inputs) {
    const TableKind kind = kind_of(input, options.format);
    if (input == "-") throw Error(ErrorCode::kInput, "standard input cannot be read as a table: Parquet, CSV and TSV are read from files");
    for (InputEntry& entry : list_inputs({input}, format_of(kind), options.warn)) {
      if (entry.kind == InputEntry::Kind::kStream) {
        throw Error(ErrorCode::kInput, fmt::format("'{}' is not a regular file and cannot be read as a table", entry.path));
      }
      std::error_code error;
      const std::filesystem::path path = std::filesystem::canonical(entry.path, error);
      const bool once = inputs.size() == 1 || seen.insert(error ? entry.path : path.native()).second;
      if (!once) throw Error(ErrorCode::kUsage, fmt::format("'{}' is given twice", entry.path));
      files.emplace_back(std::move(entry), kind);
    }
  }
  return std::make_unique<TableSource>(files, options);
}

std::unique_ptr<DocumentSource> open_one(const std::string& input, const SourceOptions& options) {
  return open_all({input}, options);
}

}  // namespace

std::unique_ptr<DocumentSource> open_listed_tables(std::vector<InputEntry> entries, const SourceOptions& options) {
  check_charset(entries.front().path, options);
  try {
    duck::load_library(options.duckdb_library);
  } catch (const Error& error) {
    // Nobody named the table, so the message has to.
    throw Error(error.code(), fmt::format("'{}' is a table: {}", entries.front().path, error.what()));
  }
  std::vector<std::pair<InputEntry, TableKind>> files;
  for (InputEntry& entry : entries) {
    const TableKind kind = table_kind_of(entry.path);
    files.emplace_back(std::move(entry), kind == TableKind::kNone ? TableKind::kParquet : kind);
  }
  return std::make_unique<TableSource>(files, options);
}

const SourceKind& table_source_kind() {
  static constexpr SourceKind kKind{"table", takes, open_one, open_all};
  return kKind;
}

}  // namespace neardup
