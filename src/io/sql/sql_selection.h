// SqlSelection: the rows and columns of a table or query that a source reads, and the statements that read them in the order of the key.
//
// Ranges are (after, upto]: only the server compares bounds and order, with the key's own collation, so that no row is lost between ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/sql/sql_connection.h"
#include "neardup/io.h"

namespace neardup {

struct SqlRange {
  std::optional<SqlValue> after;
  SqlValue upto;
};

class SqlSelection {
 public:
  /// Checks the table before a run: that table, key and text columns exist, and that the key is unique. Throws Error{kInput}.
  SqlSelection(SqlConnection& connection, const SqlAddress& address, const SourceOptions& options);

  [[nodiscard]] const std::string& key() const noexcept { return columns_[key_].name; }
  [[nodiscard]] const std::vector<SqlColumn>& columns() const noexcept { return columns_; }
  /// The columns that a run needs for its decisions, including the key; indexes of columns().
  [[nodiscard]] const std::vector<size_t>& needed() const noexcept { return needed_; }
  [[nodiscard]] const std::vector<size_t>& all() const noexcept { return all_; }

  /// Rows of a range: the key first, then `which`.
  [[nodiscard]] std::string rows(SqlConnection& connection, const std::vector<size_t>& which, const SqlRange& range) const;
  /// The first rows of the table, with all columns.
  [[nodiscard]] std::string first_rows(SqlConnection& connection, uint64_t most) const;
  /// The key of the n-th row of a range, from 1.
  [[nodiscard]] std::string cut(SqlConnection& connection, const SqlRange& range, uint64_t n) const;
  [[nodiscard]] std::string count() const;
  [[nodiscard]] std::string min_key() const;
  [[nodiscard]] std::string max_key() const;

 private:
  void find_key(SqlConnection& connection, const SqlAddress& address, const SourceOptions& options);
  void check_condition(SqlConnection& connection) const;
  void check_key(SqlConnection& connection, const SqlAddress& address);
  void find_needed(const SqlAddress& address, const SourceOptions& options);
  [[nodiscard]] std::string select(SqlConnection& connection, const std::vector<size_t>& which) const;
  [[nodiscard]] std::string first_key(std::string_view order) const;
  [[nodiscard]] std::string where(const std::vector<std::string>& conditions) const;
  [[nodiscard]] std::vector<std::string> bounds(SqlConnection& connection, const SqlRange& range) const;

  std::string from_;
  std::string condition_;
  std::string quoted_key_;
  bool key_is_unique_ = false;
  std::vector<SqlColumn> columns_;
  size_t key_ = 0;
  std::vector<size_t> needed_;
  std::vector<size_t> all_;
};

}  // namespace neardup
