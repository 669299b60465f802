// JsonColumns: finds the columns of a table that holds every line of JSON. All lines count, not a sample.
//
// Types: BOOLEAN; BIGINT, UBIGINT or HUGEINT, whichever holds all integers; DOUBLE as soon as one number has a point or an exponent;
// VARCHAR for strings, whatever they look like, and where there are only nulls; T[] and STRUCT(...) for arrays and objects. Values of more
// than one of these kinds make a column of JSON text. Columns are in the order of the first occurrence of their names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

class JsonColumns {
 public:
  struct Column {
    std::string name;
    std::string sql_type;
    bool nested = false;  ///< a list, a struct, or JSON text
  };
  JsonColumns();
  ~JsonColumns();
  JsonColumns(const JsonColumns&) = delete;
  JsonColumns& operator=(const JsonColumns&) = delete;

  /// One JSON object, which must be well-formed. `precise` is set to the places, begin and end, of the numbers with more digits after the
  /// point than a double keeps, and without exponent: a reader that uses doubles needs them as strings.
  void add(std::string_view line, std::vector<std::pair<size_t, size_t>>& precise);
  /// Throws Error{kOutput} when two names differ only in case, which columns cannot.
  [[nodiscard]] std::vector<Column> columns() const;

  /// The values seen in one place.
  struct Shape;

 private:
  std::unique_ptr<Shape> root_;
};

/// Replaces escapes of half surrogate pairs, which Python writes and others reject, by that of U+FFFD. True if there were any.
bool repair_surrogates(std::string& line);

}  // namespace neardup
