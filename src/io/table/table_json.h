// ColumnType and RowWriter: write rows of DuckDB's vectors as lines of JSON. Unlike the library's to_json(), integers of any width and
// decimals stay exact, times are ISO 8601, and bytes are base64.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/table/duckdb_database.h"

namespace neardup {

/// A type with the data needed to read its vectors.
struct ColumnType {
  duck::Type id = duck::Type::kInvalid;
  duck::Type stored = duck::Type::kInvalid;  ///< of a decimal or enum: the integer in the vector
  uint32_t scale = 0;                        ///< of a decimal
  uint64_t length = 0;                       ///< of an array
  std::vector<std::string> names;            ///< of an enum: its values; of a struct: its members, as JSON with the colon
  std::vector<ColumnType> children;

  /// False if it is, or holds, a type that has no writer here; then the query casts the column: see is_written().
  [[nodiscard]] bool is_written() const noexcept;
};

/// Reads the type, which the caller still owns.
ColumnType read_type(const duck::Api& api, duck::TypeHandle* handle);

class RowWriter {
 public:
  struct Column {
    std::string name;
    ColumnType type;
    size_t at = 0;           ///< its place in the chunk
    bool is_json = false;    ///< the query gives JSON text, which is written as it is
    bool is_number = false;  ///< a text that is a JSON number is written as that number
  };
  explicit RowWriter(std::vector<Column> columns);

  /// Appends the rows [begin, end) of the chunk, a line each.
  void append(const duck::Api& api, const duck::Chunk& chunk, uint64_t begin, uint64_t end, std::string& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::string> keys_;
};

}  // namespace neardup
