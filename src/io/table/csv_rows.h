// CsvRows: one pass over a CSV or TSV file, in batches of whole rows. DuckDB parses it in the thread that asks for the next batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "io/table/duckdb_database.h"
#include "io/table/parquet_rows.h"
#include "io/table/table_file.h"

namespace neardup {

class CsvRows {
 public:
  struct Part {
    std::vector<ChunkRows> pieces;
    uint64_t rows = 0;
    uint64_t bytes = 0;  ///< about as many as they have in the file
    bool last = false;
  };
  /// Throws Error{kInput}.
  CsvRows(const duck::Database& database, const TableFile& file);
  /// Cut where the values have `batch_bytes` bytes, wherever the chunks end: the same in every pass. No rows: the end. Throws
  /// Error{kInput}.
  Part next(uint64_t batch_bytes);

 private:
  bool fetch();
  [[nodiscard]] uint64_t row_bytes(uint64_t row) const;

  const TableFile& file_;
  duck::Connection connection_;
  std::optional<duck::Rows> rows_;
  std::shared_ptr<const duck::Chunk> chunk_;
  std::vector<const duck::String*> values_;  // of the columns of the chunk
  std::vector<const uint64_t*> validity_;
  uint64_t in_chunk_ = 0;
  uint64_t given_ = 0;
};

}  // namespace neardup
