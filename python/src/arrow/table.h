// Table: columns of results for any library that reads Arrow, without one: __arrow_c_stream__ and __arrow_c_array__.
//
// Immutable. Consumers share the buffers, which live until the last of them has released its array.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/c_data.h"

namespace neardup::python {

class Table {
 public:
  explicit Table(uint64_t rows) : rows_(rows) {}

  /// Which rows have a value; empty: all.
  using Valid = std::vector<bool>;
  // Each adds a column of rows() values.
  void add(std::string name, std::vector<int64_t> values, const Valid& valid = {});
  void add(std::string name, std::vector<double> values, const Valid& valid = {});
  /// Strings that follow each other in `bytes`, UTF-8; `ends`: where each ends.
  void add(std::string name, std::string bytes, std::vector<int64_t> ends, const Valid& valid = {});
  /// Indices into `words`, which occur often: a dictionary.
  void add(std::string name, const std::vector<std::string>& words, std::vector<int32_t> indices, const Valid& valid = {});

  [[nodiscard]] uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// The table as an array of records; the caller releases both.
  void write(ArrowSchema& schema, ArrowArray& array) const;
  void write(ArrowSchema& schema) const;

  /// The values of a column as Python objects, None for null. Throws IndexError.
  [[nodiscard]] nanobind::list values(size_t column) const;

  struct Column;

 private:
  uint64_t rows_;
  std::vector<std::shared_ptr<const Column>> columns_;
};

/// Adds the class Table to the module.
void bind_table(nanobind::module_& module);

}  // namespace neardup::python
