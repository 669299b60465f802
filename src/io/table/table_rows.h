// Rows of table files, as chunks of DuckDB. ParquetRows: ranges of rows of Parquet files, read by many threads. CsvRows: one pass over a
// CSV or TSV file, in batches of whole rows; DuckDB parses it in the thread that asks for the next batch.
//
// Of Parquet, DuckDB reads only the row groups that a range touches. A range that is a part of a large row group continues the query of the
// range before it, so that nothing is decoded twice; ranges of different row groups are decoded at the same time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/table/duckdb_database.h"
#include "io/table/table_file.h"

namespace neardup {

/// Rows of one file, in whole row groups or in a part of one.
struct RowRange {
  uint64_t first = 0;  ///< from 0
  uint64_t rows = 0;
  uint64_t query_first = 0;  ///< of the row groups that it is in
  uint64_t query_rows = 0;
  uint32_t group = 0;  ///< the first of them
};

/// Small row groups together, large ones in parts, each about `batch_bytes`. Depends on the file alone.
std::vector<RowRange> cut_rows(const std::vector<RowGroup>& groups, uint64_t batch_bytes);

/// Rows of a chunk, which several batches may share.
struct ChunkRows {
  std::shared_ptr<const duck::Chunk> chunk;
  uint64_t begin = 0;
  uint64_t end = 0;
};

class ParquetRows {
 public:
  explicit ParquetRows(const duck::Database& database);
  ~ParquetRows();
  ParquetRows(const ParquetRows&) = delete;
  ParquetRows& operator=(const ParquetRows&) = delete;

  /// `columns` is what follows SELECT. From any thread. Throws Error{kInput} that names the file and the row group.
  std::vector<ChunkRows> read(const TableFile& file, const RowRange& range, const std::string& columns);
  /// Drops the queries that wait to be continued.
  void clear();

 private:
  struct Query;
  // A query that is being fetched from, and the start of that fetch.
  struct Busy {
    const Query* query;
    uint64_t at;
  };
  std::unique_ptr<Query> take(const TableFile& file, const RowRange& range, const std::string& columns);
  void open(Query& query);
  void give(std::unique_ptr<Query> query, bool reusable);

  const duck::Database& database_;
  Pool<duck::Connection> connections_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::unique_ptr<Query>> waiting_;
  std::list<Busy> busy_;
};

class CsvRows {
 public:
  struct Part {
    std::vector<ChunkRows> pieces;
    uint64_t rows = 0;
    uint64_t bytes = 0;  ///< approximate size in the file
    bool last = false;
  };
  /// Throws Error{kInput}.
  CsvRows(const duck::Database& database, const TableFile& file);
  /// Cut where the values reach `batch_bytes` bytes, independent of chunks: the same in every pass. No rows: the end. Throws Error{kInput}.
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
