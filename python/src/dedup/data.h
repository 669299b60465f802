// Data: what a run reads, as a factory of sources: columns in memory, a stream of record batches that can be opened again, or files.
//
// Every job opens a source of its own, so that several may read the same data at once.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dedup/rows.h"
#include "neardup/io.h"
#include "neardup/source.h"

namespace neardup::python {

class Data {
 public:
  virtual ~Data() = default;
  /// Without the lock of the interpreter.
  [[nodiscard]] virtual std::unique_ptr<DocumentSource> open() const = 0;
  /// True for files: a source may be a page of HTML.
  [[nodiscard]] virtual bool has_files() const noexcept { return false; }

  /// For the collector of garbage: calls visit() with each Python object that this holds and that may lead back to this, until one call
  /// returns another number than 0, and returns that.
  using HeldVisitor = std::function<int(nanobind::handle)>;
  [[nodiscard]] virtual int visit_held(const HeldVisitor&) const { return 0; }
  /// Breaks the cycles through this, which cannot be opened any more.
  virtual void drop_held() noexcept {}
};

/// `content`: a dict of columns, each a sequence or an object with the Arrow interface; or a table with the Arrow interface; or texts
/// without fields, a sequence or a single column with the Arrow interface. Throws Error{kUsage} that names missing columns, TypeError for a
/// text column without text.
std::unique_ptr<Data> make_memory_data(const Fields& fields, const std::string& name, nanobind::handle content);

/// `open` is called without arguments before each pass, and returns an object with __arrow_c_stream__, or an iterable of objects with one
/// or with __arrow_c_array__, of tables; each time the same documents.
std::unique_ptr<Data> make_stream_data(const Fields& fields, const std::string& name, nanobind::object open);

/// The sources of each after the other.
std::unique_ptr<Data> chain_data(std::vector<std::shared_ptr<const Data>> parts);

/// The inputs as the command line has them.
std::unique_ptr<Data> make_file_data(std::vector<std::string> inputs, SourceOptions options);

}  // namespace neardup::python
