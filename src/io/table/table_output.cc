#include "io/table/table_output.h"

#include <fmt/format.h>

#include "io/bytes/compression.h"
#include "neardup/error.h"

namespace neardup {
namespace {

std::string copy_options(const std::string& path, const std::string& codec) {
  const TableKind kind = table_kind_of(path);
  if (kind == TableKind::kParquet) return fmt::format("FORMAT parquet, COMPRESSION {}", codec.empty() ? "zstd" : codec);
  const Compression compression = compression_of_name(path);
  return fmt::format("FORMAT csv, HEADER true, DELIMITER '{}', QUOTE '\"', ESCAPE '\"', COMPRESSION '{}'",
                     kind == TableKind::kTsv ? "\t" : ",", compression == Compression::kNone ? "none" : name_of(compression));
}

}  // namespace

TableOutput::TableOutput(const std::string& path, const TargetOptions& options)
    : file_(path),
      database_(std::make_unique<duck::Database>(
          duck::DatabaseOptions{.library = options.duckdb_library, .memory_bytes = options.memory, .temp_dir = options.temp_dir})) {
  if (table_kind_of(path) != TableKind::kParquet && compression_of_name(path) == Compression::kBzip2) {
    throw Error(ErrorCode::kOutput, fmt::format("'{}': CSV and TSV are written plain or compressed by gzip or zstd, not by bzip2", path));
  }
}

uint64_t TableOutput::write(duck::Connection& connection, const std::string& select, const std::string& more, const std::string& codec) {
  try {
    duck::Rows rows(connection, fmt::format("COPY ({}) TO {} ({}, USE_TMP_FILE false{})", select, duck::quote_text(file_.hidden_path()),
                                            copy_options(file_.path(), codec), more));
    uint64_t written = 0;
    while (const duck::Chunk chunk = rows.fetch()) {
      const auto* counts = static_cast<const int64_t*>(rows.api().vector_get_data(chunk.column(0)));
      for (uint64_t i = 0; i < chunk.rows(); ++i) written += static_cast<uint64_t>(counts[i]);
    }
    return written;
  } catch (const duck::Failure& failure) {
    throw Error(ErrorCode::kOutput, fmt::format("cannot write '{}': {}", file_.path(), failure.what()));
  }
}

void TableOutput::finish() {
  database_.reset();
  file_.finish();
}

std::string descriptor_path(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace neardup
