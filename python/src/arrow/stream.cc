#include "arrow/stream.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "neardup/error.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

template <typename T>
Owned<T> take(nb::handle capsule, const char* name, std::string_view argument) {
  auto* const content = PyCapsule_IsValid(capsule.ptr(), name) != 0 ? static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name)) : nullptr;
  if (content == nullptr || content->release == nullptr)
    throw nb::type_error(fmt::format("{}: its Arrow method did not return a new capsule '{}'", argument, name).c_str());
  return Owned<T>(content);
}

}  // namespace

bool ArrowStream::supports(nb::handle object) {
  return nb::hasattr(object, "__arrow_c_stream__") || nb::hasattr(object, "__arrow_c_array__");
}

ArrowStream::ArrowStream(nb::handle object, std::string argument) : argument_(std::move(argument)) {
  if (nb::hasattr(object, "__arrow_c_stream__")) {
    stream_ = take<ArrowArrayStream>(object.attr("__arrow_c_stream__")(), "arrow_array_stream", argument_);
    const int code = [&] {
      const Unlocked unlocked;
      return stream_->get_schema(stream_.get(), schema_.get());
    }();
    if (code != 0) fail(code);
    if (!schema_.holds()) throw nb::type_error(fmt::format("{}: its Arrow stream has no schema", argument_).c_str());
    return;
  }
  const nb::object pair = object.attr("__arrow_c_array__")();
  if (!nb::isinstance<nb::tuple>(pair) || nb::len(pair) != 2)
    throw nb::type_error(fmt::format("{}: __arrow_c_array__ did not return two capsules", argument_).c_str());
  schema_ = take<ArrowSchema>(pair[0], "arrow_schema", argument_);
  only_ = take<ArrowArray>(pair[1], "arrow_array", argument_);
}

std::optional<Owned<ArrowArray>> ArrowStream::next() {
  Owned<ArrowArray> array = std::exchange(only_, {});
  if (stream_.holds()) {
    const int code = [&] {
      const Unlocked unlocked;
      return stream_->get_next(stream_.get(), array.get());
    }();
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (code != 0) fail(code);
  }
  if (!array.holds()) return std::nullopt;
  return array;
}

void ArrowStream::fail(int code) {
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  const char* const message = stream_->get_last_error(stream_.get());
  throw Error(ErrorCode::kInput,
              fmt::format("{}: the Arrow stream failed: {}", argument_, message != nullptr ? message : std::strerror(code)));
}

}  // namespace neardup::python
