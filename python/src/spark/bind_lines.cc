// read_lines: the records of JSON Lines, of lines that Spark has read.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/table.h"
#include "neardup/tools/json_lines.h"
#include "neardup/tools/rejects.h"
#include "spark/bind_spark.h"
#include "spark/columns.h"
#include "unlocked.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace neardup::python {
namespace {

// A column of strings in the making; rows without a value are null.
class StringColumn {
 public:
  void add(std::string_view value, bool valid) {
    if (valid) bytes_.append(value);
    ends_.push_back(static_cast<int64_t>(bytes_.size()));
    valid_.push_back(valid);
  }
  void finish(std::string name, Table& table) { table.add(std::move(name), std::move(bytes_), std::move(ends_), valid_); }

 private:
  std::string bytes_;
  std::vector<int64_t> ends_;
  Table::Valid valid_;
};

std::shared_ptr<Table> read_lines(nb::handle lines, std::vector<std::string> text, std::string id, bool begins_file) {
  const NullableTexts given(lines, "lines");
  const Unlocked unlocked;
  JsonLines reader(std::move(text), std::move(id));
  auto table = std::make_shared<Table>(given.views().size());
  StringColumn ids, texts, kinds, problems;
  for (size_t i = 0; i < given.views().size(); ++i) {
    Record record;
    const bool blank = !reader.read(given.views()[i].value_or(std::string_view()), begins_file && i == 0, record);
    const bool rejected = !record.problem.empty();
    ids.add(record.id, record.has_id);
    texts.add(record.text, !blank && !rejected);
    kinds.add(to_string(record.reject_kind), rejected);
    problems.add(record.problem, rejected);
  }
  ids.finish("id", *table);
  texts.finish("text", *table);
  kinds.finish("kind", *table);
  problems.finish("problem", *table);
  return table;
}

}  // namespace

void bind_lines(nb::module_& part) {
  part.def("read_lines", &read_lines, "lines"_a, "text"_a, "id"_a, "begins_file"_a,
           "The records of lines of JSON: a Table of id, text, kind and problem. Blank lines have neither a text nor a problem.");
}

}  // namespace neardup::python
