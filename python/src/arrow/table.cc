#include "arrow/table.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <memory>
#include <new>
#include <utility>

namespace nb = nanobind;

namespace neardup::python {

struct Table::Column {
  std::string name;
  const char* format = "";
  int64_t rows = 0;
  int64_t nulls = 0;
  std::vector<uint8_t> valid{};  // empty: all are
  // Those of its kind are used.
  std::vector<int64_t> integers{};
  std::vector<double> numbers{};
  std::vector<int32_t> indices{};
  std::string bytes{};
  std::shared_ptr<const Column> words{};  // of a dictionary

  [[nodiscard]] std::vector<const void*> buffers() const {
    const void* const bits = nulls == 0 ? nullptr : valid.data();
    if (words) return {bits, indices.data()};
    if (format[0] == 'U') return {bits, integers.data(), bytes.data()};
    return {bits, format[0] == 'g' ? static_cast<const void*>(numbers.data()) : integers.data()};
  }
};

namespace {

using ColumnPointer = std::shared_ptr<const Table::Column>;

void set_valid(const Table::Valid& valid, Table::Column& column) {
  if (valid.empty()) return;
  column.valid.assign((valid.size() + 7) / 8, 0);
  for (size_t row = 0; row < valid.size(); ++row) {
    if (valid[row]) {
      column.valid[row / 8] = static_cast<uint8_t>(column.valid[row / 8] | 1u << (row % 8));
    } else {
      ++column.nulls;
    }
  }
}

// Everything that an exported structure points to.
struct HeldSchema {
  std::string name;
  std::vector<ArrowSchema> members;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};
struct HeldArray {
  ColumnPointer column;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> members;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
};

// A consumer may have moved a member out, which is then released already.
template <typename Structure, typename Held>
void release(Structure* structure) {
  auto* const held = static_cast<Held*>(structure->private_data);
  for (Structure& member : held->members) {
    if (member.release != nullptr) member.release(&member);
  }
  if (held->dictionary.release != nullptr) held->dictionary.release(&held->dictionary);
  structure->release = nullptr;
  delete held;
}

void write_schema(const Table::Column& column, ArrowSchema& out) {
  auto held = std::make_unique<HeldSchema>();
  held->name = column.name;
  if (column.words) write_schema(*column.words, held->dictionary);
  out = {.format = column.words ? "i" : column.format,
         .name = held->name.c_str(),
         .metadata = nullptr,
         .flags = ARROW_FLAG_NULLABLE,
         .n_children = 0,
         .children = nullptr,
         .dictionary = column.words ? &held->dictionary : nullptr,
         .release = release<ArrowSchema, HeldSchema>,
         .private_data = nullptr};
  out.private_data = held.release();
}

void write_array(const ColumnPointer& column, ArrowArray& out) {
  auto held = std::make_unique<HeldArray>();
  held->column = column;
  held->buffers = column->buffers();
  if (column->words) write_array(column->words, held->dictionary);
  out = {.length = column->rows,
         .null_count = column->nulls,
         .offset = 0,
         .n_buffers = static_cast<int64_t>(held->buffers.size()),
         .n_children = 0,
         .buffers = held->buffers.data(),
         .children = nullptr,
         .dictionary = column->words ? &held->dictionary : nullptr,
         .release = release<ArrowArray, HeldArray>,
         .private_data = nullptr};
  out.private_data = held.release();
}

template <typename Held>
void point_to_members(Held& held) {
  for (auto& member : held.members) held.pointers.push_back(&member);
}

// By whichever name: a consumer may have given it another one.
template <typename Structure>
void drop_capsule(PyObject* capsule) {
  auto* const content = static_cast<Structure*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (content->release != nullptr) content->release(content);
  delete content;
}

constexpr const char* kSchema = "arrow_schema";
constexpr const char* kArray = "arrow_array";
constexpr const char* kStream = "arrow_array_stream";

template <typename Structure>
nb::object capsule_of(std::unique_ptr<Structure> content, const char* name) {
  nb::object capsule = nb::steal(PyCapsule_New(content.get(), name, drop_capsule<Structure>));
  if (!capsule.is_valid()) {
    content->release(content.get());
    throw nb::python_error();
  }
  static_cast<void>(content.release());
  return capsule;
}

nb::object schema_capsule(const Table& table) {
  auto schema = std::make_unique<ArrowSchema>();
  table.write(*schema);
  return capsule_of(std::move(schema), kSchema);
}

nb::tuple array_capsules(const Table& table) {
  auto array = std::make_unique<ArrowArray>();
  auto schema = std::make_unique<ArrowSchema>();
  table.write(*schema, *array);
  nb::object first = capsule_of(std::move(schema), kSchema);
  nb::object second = capsule_of(std::move(array), kArray);
  return nb::make_tuple(std::move(first), std::move(second));
}

// A stream of the table as one array.
struct HeldStream {
  std::shared_ptr<const Table> table;
  bool done = false;
};

// The caller is C. All that can happen is that the memory is exhausted.
template <typename Write>
int without_exceptions(const Write& write) noexcept {
  try {
    write();
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

nb::object stream_capsule(std::shared_ptr<const Table> table) {
  auto stream = std::make_unique<ArrowArrayStream>();
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    return without_exceptions([&] { static_cast<HeldStream*>(self->private_data)->table->write(*out); });
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto* const held = static_cast<HeldStream*>(self->private_data);
    *out = {};
    if (std::exchange(held->done, true)) return 0;
    return without_exceptions([&] {
      ArrowSchema schema;
      held->table->write(schema, *out);
      schema.release(&schema);
    });
  };
  stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream->release = [](ArrowArrayStream* self) {
    delete static_cast<HeldStream*>(self->private_data);
    self->release = nullptr;
  };
  stream->private_data = new HeldStream{.table = std::move(table)};
  return capsule_of(std::move(stream), kStream);
}

}  // namespace

void Table::add(std::string name, std::vector<int64_t> values, const Valid& valid) {
  Column column{.name = std::move(name), .format = "l", .rows = static_cast<int64_t>(rows_), .integers = std::move(values)};
  set_valid(valid, column);
  columns_.push_back(std::make_shared<const Column>(std::move(column)));
}

void Table::add(std::string name, std::vector<double> values, const Valid& valid) {
  Column column{.name = std::move(name), .format = "g", .rows = static_cast<int64_t>(rows_), .numbers = std::move(values)};
  set_valid(valid, column);
  columns_.push_back(std::make_shared<const Column>(std::move(column)));
}

void Table::add(std::string name, std::string bytes, std::vector<int64_t> ends, const Valid& valid) {
  ends.insert(ends.begin(), 0);
  Column column{
      .name = std::move(name), .format = "U", .rows = static_cast<int64_t>(rows_), .integers = std::move(ends), .bytes = std::move(bytes)};
  set_valid(valid, column);
  columns_.push_back(std::make_shared<const Column>(std::move(column)));
}

void Table::add(std::string name, const std::vector<std::string>& words, std::vector<int32_t> indices, const Valid& valid) {
  Column dictionary{.name = "", .format = "U", .rows = static_cast<int64_t>(words.size()), .integers = {0}};
  for (const std::string& word : words) {
    dictionary.bytes += word;
    dictionary.integers.push_back(static_cast<int64_t>(dictionary.bytes.size()));
  }
  Column column{.name = std::move(name),
                .rows = static_cast<int64_t>(rows_),
                .indices = std::move(indices),
                .words = std::make_shared<const Column>(std::move(dictionary))};
  set_valid(valid, column);
  columns_.push_back(std::make_shared<const Column>(std::move(column)));
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  for (const auto& column : columns_) names.push_back(column->name);
  return names;
}

void Table::write(ArrowSchema& schema) const {
  auto held = std::make_unique<HeldSchema>();
  held->members.resize(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) write_schema(*columns_[i], held->members[i]);
  point_to_members(*held);
  schema = {.format = "+s",
            .name = "",
            .metadata = nullptr,
            .flags = 0,
            .n_children = static_cast<int64_t>(columns_.size()),
            .children = held->pointers.data(),
            .dictionary = nullptr,
            .release = release<ArrowSchema, HeldSchema>,
            .private_data = nullptr};
  schema.private_data = held.release();
}

void Table::write(ArrowSchema& schema, ArrowArray& array) const {
  write(schema);
  auto held = std::make_unique<HeldArray>();
  held->buffers = {nullptr};
  held->members.resize(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) write_array(columns_[i], held->members[i]);
  point_to_members(*held);
  array = {.length = static_cast<int64_t>(rows_),
           .null_count = 0,
           .offset = 0,
           .n_buffers = 1,
           .n_children = static_cast<int64_t>(columns_.size()),
           .buffers = held->buffers.data(),
           .children = held->pointers.data(),
           .dictionary = nullptr,
           .release = release<ArrowArray, HeldArray>,
           .private_data = nullptr};
  array.private_data = held.release();
}

namespace {

nb::object text_at(const Table::Column& column, size_t row) {
  const auto begin = static_cast<size_t>(column.integers[row]);
  const auto end = static_cast<size_t>(column.integers[row + 1]);
  return nb::steal(PyUnicode_DecodeUTF8(column.bytes.data() + begin, static_cast<Py_ssize_t>(end - begin), "replace"));
}

nb::object value_at(const Table::Column& column, size_t row) {
  if (column.format[0] == 'U') return text_at(column, row);
  if (column.format[0] == 'g') return nb::float_(column.numbers[row]);
  return nb::int_(column.integers[row]);
}

}  // namespace

nb::list Table::values(size_t number) const {
  if (number >= columns_.size()) throw nb::index_error();
  const Column& column = *columns_[number];
  std::vector<nb::object> words;  // one object for all rows with the same word
  for (size_t word = 0; column.words && word < static_cast<size_t>(column.words->rows); ++word)
    words.push_back(text_at(*column.words, word));
  const auto is_null = [&](size_t row) { return column.nulls > 0 && (column.valid[row / 8] >> (row % 8) & 1) == 0; };
  nb::list values;
  for (size_t row = 0; row < rows_; ++row) {
    if (words.empty() || is_null(row)) {
      values.append(is_null(row) ? nb::none() : value_at(column, row));
    } else {
      values.append(words[static_cast<size_t>(column.indices[row])]);
    }
  }
  return values;
}

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Columns of results, which any library with the Arrow PyCapsule interface reads without a copy.")
      .def("__len__", &Table::rows)
      .def_prop_ro("num_rows", &Table::rows)
      .def_prop_ro("column_names", &Table::names)
      .def("column", &Table::values, nb::arg("number"))
      .def("__arrow_c_schema__", &schema_capsule)
      .def(
          "__arrow_c_array__", [](const Table& self, const nb::object&) { return array_capsules(self); },
          nb::arg("requested_schema") = nb::none())
      .def(
          "__arrow_c_stream__", [](std::shared_ptr<const Table> self, const nb::object&) { return stream_capsule(std::move(self)); },
          nb::arg("requested_schema") = nb::none());
}

}  // namespace neardup::python
