// JsonColumns: what columns a table needs so that every line of JSON fits in. All lines count, not a sample.
//
// Types: BOOLEAN; BIGINT, UBIGINT or HUGEINT, whichever holds all integers; DOUBLE as soon as one number has a point or an exponent;
// VARCHAR for strings, whatever they look like, and where there are only nulls; T[] and STRUCT(...) for arrays and objects. Values of more
// than one of these kinds make a column of JSON text. Columns stand in the order in which their names are seen first.
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
  /// point than a double keeps, and without exponent: a reader that goes by doubles wants them as strings.
  void add(std::string_view line, std::vector<std::pair<size_t, size_t>>& precise);
  /// Throws Error{kOutput} when two names differ in upper and lower case only, which columns cannot.
  [[nodiscard]] std::vector<Column> columns() const;

  /// What was seen in one place.
  struct Shape;

 private:
  std::unique_ptr<Shape> root_;
};

/// Replaces escapes of half surrogate pairs, which Python writes and others refuse, by that of U+FFFD. True if there were any.
bool repair_surrogates(std::string& line);

}  // namespace neardup
