#include "dedup/data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "arrow/stream.h"
#include "dedup/arrow_column.h"
#include "dedup/list_column.h"
#include "neardup/error.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using Columns = std::vector<std::pair<std::string, std::shared_ptr<ArrowColumn>>>;

[[noreturn]] void refuse_missing(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) throw Error(ErrorCode::kUsage, fmt::format("there is no column '{}': the data have no columns", name));
  throw Error(ErrorCode::kUsage, fmt::format("there is no column '{}'; the columns are {}", name, fmt::join(known, ", ")));
}

// Texts without fields are the one text column, whatever its name is.
void require_only_text(const Fields& fields) {
  if (const auto required = fields.required(); required.size() > 1)
    throw Error(ErrorCode::kUsage, fmt::format("there is no column '{}': the data are texts without fields", required[1]));
}

void require_text(const ArrowSchema& schema, const std::string& name) {
  if (TextColumn::is_text(schema)) return;
  throw nb::type_error(fmt::format("text: {} has the type {}; expected strings",
                                   name.empty() ? "the array" : fmt::format("the column '{}'", name), type_name(schema))
                           .c_str());
}

// The columns of a stream of tables, or of arrays of texts.
class ArrowTable {
 public:
  ArrowTable(const Fields& fields, const ArrowSchema& schema) : fields_(fields), table_(is_table(schema)) {
    if (!table_) {
      require_only_text(fields);
      require_text(schema, fields.text.front());
      columns_.emplace_back(fields.text.front(), std::make_shared<ArrowColumn>("text"));
      return;
    }
    std::vector<std::string> known;
    for (int64_t i = 0; i < schema.n_children; ++i) {
      const char* const name = schema.children[i]->name;
      known.emplace_back(name == nullptr ? "" : name);
    }
    const std::vector<std::string> required = fields.required();
    for (const std::string& name : fields.wanted()) {
      const auto found = std::ranges::find(known, name);
      if (found == known.end()) {
        if (std::ranges::find(required, name) != required.end()) refuse_missing(name, known);
        continue;
      }
      if (std::ranges::count(known, name) > 1) throw Error(ErrorCode::kUsage, fmt::format("the table has several columns '{}'", name));
      numbers_.push_back(found - known.begin());
      columns_.emplace_back(name, std::make_shared<ArrowColumn>(fmt::format("column '{}'", name)));
      if (std::ranges::find(fields.text, name) != fields.text.end()) require_text(*schema.children[numbers_.back()], name);
    }
  }

  void append(const ArrowSchema& schema, Owned<ArrowArray> array) {
    const SharedArray shared = share_array(std::move(array));
    const ArrowArray& whole = **shared;
    if (!table_) return columns_.front().second->append(schema, whole, shared);
    if (whole.n_children < schema.n_children || whole.children == nullptr)
      throw nb::value_error("malformed Arrow array: a table without columns");
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const ArrowArray* const column = whole.children[numbers_[i]];
      if (column == nullptr || column->release == nullptr) throw nb::value_error("malformed Arrow array: a column was released");
      columns_[i].second->append(*schema.children[numbers_[i]], *column, shared, &whole);
    }
  }

  [[nodiscard]] std::shared_ptr<const Rows> rows() const {
    std::vector<Rows::NamedColumn> columns(columns_.begin(), columns_.end());
    return std::make_shared<const Rows>(fields_, columns);
  }

 private:
  const Fields& fields_;
  bool table_;
  Columns columns_;
  std::vector<int64_t> numbers_;  // of the columns in the table
};

std::shared_ptr<const Rows> read_all(const Fields& fields, nb::handle object) {
  ArrowStream stream(object, "data");
  ArrowTable table(fields, stream.schema());
  while (auto array = stream.next()) table.append(stream.schema(), std::move(*array));
  return table.rows();
}

std::shared_ptr<const Column> make_column(const std::string& name, nb::handle values, bool text) {
  if (!ArrowStream::supports(values)) return std::make_shared<const ListColumn>(values);
  ArrowStream stream(values, fmt::format("column '{}'", name));
  if (text) require_text(stream.schema(), name);
  auto column = std::make_shared<ArrowColumn>(fmt::format("column '{}'", name));
  while (auto array = stream.next()) {
    const SharedArray shared = share_array(std::move(*array));
    column->append(stream.schema(), **shared, shared);
  }
  return column;
}

std::shared_ptr<const Rows> read_columns(const Fields& fields, const nb::dict& given) {
  // A copy: reading a column can run code of the caller's, which may change the dict.
  const nb::object copy = nb::steal(PyDict_Copy(given.ptr()));
  if (!copy.is_valid()) throw nb::python_error();
  const auto content = nb::borrow<nb::dict>(copy);
  std::vector<std::string> known;
  for (const auto& [key, value] : content) known.push_back(nb::cast<std::string>(key));
  for (const std::string& name : fields.required()) {
    if (std::ranges::find(known, name) == known.end()) refuse_missing(name, known);
  }
  std::vector<Rows::NamedColumn> columns;
  const std::vector<std::string> wanted = fields.wanted();
  for (const auto& [key, value] : content) {
    const auto name = nb::cast<std::string>(key);
    if (std::ranges::find(wanted, name) == wanted.end()) continue;
    columns.emplace_back(name, make_column(name, value, std::ranges::find(fields.text, name) != fields.text.end()));
  }
  return std::make_shared<const Rows>(fields, columns);
}

std::shared_ptr<const Rows> read_list(const Fields& fields, nb::handle texts) {
  require_only_text(fields);
  const std::vector<Rows::NamedColumn> column{{fields.text.front(), std::make_shared<const ListColumn>(texts)}};
  return std::make_shared<const Rows>(fields, column);
}

std::shared_ptr<const Rows> read_content(const Fields& fields, nb::handle content) {
  if (nb::isinstance<nb::dict>(content)) return read_columns(fields, nb::borrow<nb::dict>(content));
  return ArrowStream::supports(content) ? read_all(fields, content) : read_list(fields, content);
}

class RowSource : public DocumentSource {
 public:
  explicit RowSource(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return name_; }

 private:
  const std::string name_;
};

class MemorySource final : public RowSource {
 public:
  MemorySource(std::shared_ptr<const Rows> rows, const std::string& name) : RowSource(name), rows_(std::move(rows)) {
    for (const Rows::Part& part : rows_->parts()) bytes_ += part.bytes;
  }
  std::unique_ptr<Batch> next() override {
    return next_ < rows_->parts().size() ? std::make_unique<RowBatch>(rows_, rows_->parts()[next_++]) : nullptr;
  }
  void rewind() override { next_ = 0; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return bytes_; }

 private:
  const std::shared_ptr<const Rows> rows_;
  size_t next_ = 0;
  uint64_t bytes_ = 0;
};

class MemoryData final : public Data {
 public:
  MemoryData(std::shared_ptr<const Rows> rows, std::string name) : rows_(std::move(rows)), name_(std::move(name)) {}
  [[nodiscard]] std::unique_ptr<DocumentSource> open() const override { return std::make_unique<MemorySource>(rows_, name_); }

 private:
  const std::shared_ptr<const Rows> rows_;
  const std::string name_;
};

// One reading of a stream of tables. Created, used and destroyed with the lock of the interpreter.
class TableReader {
 public:
  TableReader(const Fields& fields, nb::handle reader) : fields_(fields) {
    if (ArrowStream::supports(reader)) {
      stream_.emplace(reader, "data");
      return;
    }
    iterator_ = nb::steal(PyObject_GetIter(reader.ptr()));
    if (iterator_.is_valid()) return;
    PyErr_Clear();
    throw nb::type_error(fmt::format("data: the function returned {}; expected a reader of record batches", type_of(reader)).c_str());
  }

  // Null at the end.
  std::shared_ptr<const Rows> next() {
    for (;;) {
      if (stream_) {
        if (auto array = stream_->next()) {
          ArrowTable table(fields_, stream_->schema());
          table.append(stream_->schema(), std::move(*array));
          return table.rows();
        }
        stream_.reset();
      }
      if (!iterator_.is_valid()) return nullptr;
      const nb::object item = nb::steal(PyIter_Next(iterator_.ptr()));
      if (!item.is_valid()) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        return nullptr;
      }
      if (!ArrowStream::supports(item))
        throw nb::type_error(fmt::format("data: the reader gave {}; expected record batches of Arrow", type_of(item)).c_str());
      stream_.emplace(item, "data");
    }
  }

 private:
  const Fields& fields_;
  std::optional<ArrowStream> stream_;
  nb::object iterator_;
};

class StreamSource final : public RowSource {
 public:
  StreamSource(const Fields& fields, const std::string& name, nb::handle open) : RowSource(name), fields_(fields), open_(open) {}
  ~StreamSource() override {
    const nb::gil_scoped_acquire locked;
    reader_.reset();
  }
  std::unique_ptr<Batch> next() override {
    while (!rows_ || next_ == rows_->parts().size()) {
      if (!read_rows()) return nullptr;
    }
    return std::make_unique<RowBatch>(rows_, rows_->parts()[next_++]);
  }
  void rewind() override {
    const nb::gil_scoped_acquire locked;
    reader_.reset();
    rows_.reset();
    next_ = 0;
    ended_ = false;
  }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }

 private:
  bool read_rows() {
    if (ended_) return false;
    const nb::gil_scoped_acquire locked;
    if (!open_.is_valid()) throw Error(ErrorCode::kUsage, "the data are gone");
    if (!reader_) reader_.emplace(fields_, open_());
    rows_ = reader_->next();
    next_ = 0;
    ended_ = rows_ == nullptr;
    return !ended_;
  }

  const Fields& fields_;
  const nb::handle open_;  // held by the data
  std::optional<TableReader> reader_;
  std::shared_ptr<const Rows> rows_;
  size_t next_ = 0;
  bool ended_ = false;
};

class StreamData final : public Data {
 public:
  StreamData(Fields fields, std::string name, nb::object open)
      : fields_(std::move(fields)), name_(std::move(name)), open_(std::move(open)) {}
  ~StreamData() override {
    const nb::gil_scoped_acquire locked;
    open_.reset();
  }
  StreamData(const StreamData&) = delete;
  StreamData& operator=(const StreamData&) = delete;
  [[nodiscard]] std::unique_ptr<DocumentSource> open() const override { return std::make_unique<StreamSource>(fields_, name_, open_); }

  [[nodiscard]] int visit_held(const HeldVisitor& visit) const override { return visit(open_); }
  void drop_held() noexcept override { open_.reset(); }

 private:
  const Fields fields_;
  const std::string name_;
  nb::object open_;
};

class ChainData final : public Data {
 public:
  explicit ChainData(std::vector<std::shared_ptr<const Data>> parts) : parts_(std::move(parts)) {}
  [[nodiscard]] std::unique_ptr<DocumentSource> open() const override {
    std::unique_ptr<DocumentSource> all = parts_.front()->open();
    for (size_t i = 1; i < parts_.size(); ++i) all = append_source(std::move(all), parts_[i]->open());
    return all;
  }

  [[nodiscard]] int visit_held(const HeldVisitor& visit) const override {
    for (const auto& part : parts_) {
      if (const int result = visit(nb::find(*part)); result != 0) return result;
    }
    return 0;
  }

 private:
  const std::vector<std::shared_ptr<const Data>> parts_;
};

class FileData final : public Data {
 public:
  FileData(std::vector<std::string> inputs, SourceOptions options) : inputs_(std::move(inputs)), options_(std::move(options)) {}
  [[nodiscard]] std::unique_ptr<DocumentSource> open() const override { return open_source(inputs_, options_); }
  [[nodiscard]] bool has_files() const noexcept override { return true; }

 private:
  const std::vector<std::string> inputs_;
  const SourceOptions options_;
};

}  // namespace

std::unique_ptr<Data> make_memory_data(const Fields& fields, const std::string& name, nb::handle content) {
  return std::make_unique<MemoryData>(read_content(fields, content), name);
}

std::unique_ptr<Data> make_stream_data(const Fields& fields, const std::string& name, nb::object open) {
  return std::make_unique<StreamData>(fields, name, std::move(open));
}

std::unique_ptr<Data> chain_data(std::vector<std::shared_ptr<const Data>> parts) {
  if (parts.empty()) throw Error(ErrorCode::kUsage, "there are no data");
  return std::make_unique<ChainData>(std::move(parts));
}

std::unique_ptr<Data> make_file_data(std::vector<std::string> inputs, SourceOptions options) {
  return std::make_unique<FileData>(std::move(inputs), std::move(options));
}

}  // namespace neardup::python
