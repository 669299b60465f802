// ArrowStream: the arrays of a Python object with the Arrow C interface, one after the other.
//
//   ArrowStream stream(object, "texts");
//   while (const auto array = stream.next()) use(stream.schema(), **array);
//
// For one thread. All members, and the destructors of arrays, need the lock of the interpreter. While the producer makes an array, they
// give it up: a producer may wait for threads of its own that need it.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

#include "arrow/c_data.h"
#include "arrow/owned.h"

namespace neardup::python {

class ArrowStream {
 public:
  /// True if the object has __arrow_c_stream__ or __arrow_c_array__.
  static bool supports(nanobind::handle object);

  /// Calls __arrow_c_stream__, or __arrow_c_array__, which gives one array. Throws TypeError that names `argument` if that does not return
  /// what it should, and what the object raises.
  ArrowStream(nanobind::handle object, std::string argument);

  [[nodiscard]] const ArrowSchema& schema() const noexcept { return *schema_; }
  /// The next array; nothing at the end. Throws InputError with the message of the producer, or the exception that it raised.
  std::optional<Owned<ArrowArray>> next();

 private:
  [[noreturn]] void fail(int code);

  std::string argument_;
  Owned<ArrowArrayStream> stream_;
  Owned<ArrowSchema> schema_;
  Owned<ArrowArray> only_;  // of __arrow_c_array__
};

}  // namespace neardup::python
