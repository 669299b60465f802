// RowCells: extracts the cells of some named columns, as text, from a line of a table with a header, or of JSON Lines.
//
// Total: any bytes give cells or a problem; only the header throws.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/problem.h"

namespace neardup {

/// For one thread.
class RowCells {
 public:
  enum class Null { kProblem, kNoCell };
  /// `names` must outlive the object; a column is its index there. `null` is the text for null in JSON.
  RowCells(std::span<const std::string_view> names, Null null) : names_(names), null_(null), cells_(names.size()) {}

  /// From now on rows are cells separated by tabs, with these column names. Throws Error{kInput}, without a place, when a column occurs
  /// twice.
  void set_header(std::string_view line);
  /// True if the header has the column; before set_header(), of all.
  [[nodiscard]] bool has(size_t column) const noexcept;

  /// Splits a line, or returns the problem; empty: none. Members of JSON are strings or numbers.
  Problem split(std::string_view line);
  [[nodiscard]] std::optional<std::string>& operator[](size_t column) noexcept { return cells_[column]; }
  [[nodiscard]] const std::optional<std::string>& operator[](size_t column) const noexcept { return cells_[column]; }

 private:
  Problem split_table(std::string_view line);
  Problem split_json(std::string_view line);

  std::span<const std::string_view> names_;
  Null null_;
  std::vector<size_t> header_;  // the column of every cell, names_.size() for others; empty: JSON Lines
  std::vector<std::optional<std::string>> cells_;
};

/// A value for a message, which is one line: in quotes, cut off, without control characters.
std::string shown_cell(std::string_view text, size_t most = 60);

}  // namespace neardup
