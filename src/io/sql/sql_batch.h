// SqlBatch: the rows of one range of keys as lines of JSON, asked for when they are read, over a connection of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/files/line_batch.h"
#include "io/sql/sql_pool.h"
#include "io/sql/sql_selection.h"
#include "neardup/source.h"

namespace neardup {

/// What a range held.
struct SqlHeld {
  uint64_t rows = 0;
  uint64_t keys = 0;  ///< a hash

  void add(SqlConnection::Row row);
};

/// What the batches of a source share.
struct SqlContext {
  /// `connections` is not owned.
  SqlContext(const SqlAddress& at, SqlPool& connections, SqlSelection selected, const SourceOptions& options);

  /// A row of SqlSelection::rows(), with its line break.
  void append_line(const std::vector<size_t>& which, SqlConnection::Row row, std::string& out) const;

  const SqlAddress address;
  SqlPool& pool;
  const SqlSelection selection;
  LineContext lines;
  std::vector<std::string> members;  ///< of columns, as JSON has them
  std::mutex mutex;                  ///< of what follows
  std::map<size_t, SqlHeld> held;    ///< when it was read first, by ordinal of the batch
};

class SqlBatch final : public Batch {
 public:
  /// `context` is not owned.
  SqlBatch(SqlContext& context, size_t ordinal, SqlRange range, uint64_t input_bytes);

  void fetch(Need need) override;
  /// Throws Error{kInput} when the range is not what it was.
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override;
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return rows_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return input_bytes_; }

 private:
  // All rows, got before they were asked for.
  struct Ahead {
    Need need;
    std::string lines;
    SqlHeld held;
  };

  [[nodiscard]] const std::vector<size_t>& columns(Need need) const;
  // True if the range was read before.
  bool know_rows();
  uint32_t read_places(const Filter& wanted, const Visitor& visit) const;
  uint32_t read_ahead(const Filter& wanted, const Visitor& visit);
  uint32_t read_rows(Need need, const Filter& wanted, const Visitor& visit);
  uint32_t checked(const SqlHeld& now);

  SqlContext& context_;
  const size_t ordinal_;
  const SqlRange range_;
  const uint64_t input_bytes_;
  uint64_t rows_ = 0;
  std::optional<Ahead> ahead_;
};

}  // namespace neardup
