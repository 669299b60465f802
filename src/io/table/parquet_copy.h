// ParquetCopy: copies chosen rows of Parquet files to one Parquet file, with unchanged columns: names, order, types, nulls.
//
// During a run it only stores row numbers, one bit per row; finish() lets DuckDB copy the rows, in the order of the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/temp_file.h"
#include "io/table/table_output.h"

namespace neardup {

class ParquetCopy {
 public:
  /// All files must have the same columns: see check_same_columns(). `added`: each row gets further columns from a line of JSON.
  ParquetCopy(const std::string& path, std::vector<const TableFile*> files, const TargetOptions& options, bool added = false);

  /// Rows in ascending order, from 1; `fields` is a JSON object and '\n', or empty.
  void add(size_t file, uint64_t row, std::string_view fields);
  /// Writes. Throws Error{kInput} when a file changed, Error{kOutput}.
  void finish();
  void commit();
  void withdraw() noexcept { output_.withdraw(); }

 private:
  [[nodiscard]] std::string query() const;
  [[nodiscard]] std::string metadata() const;

  TableOutput output_;
  const std::vector<const TableFile*> files_;
  std::vector<std::vector<bool>> chosen_;  // by file, then row from 0
  std::optional<TempFile> fields_;
  uint64_t count_ = 0;
  bool finished_ = false;
};

}  // namespace neardup
