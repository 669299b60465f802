// TableBatch: a batch of rows of a Parquet, CSV or TSV file, as lines of JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/line_batch.h"
#include "io/table/parquet_rows.h"
#include "io/table/table_file.h"
#include "io/table/table_json.h"

namespace neardup {

// What a query asks for, and what becomes of it.
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

}  // namespace neardup
