#include "errors.h"

#include "message.h"
#include "neardup/error.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

struct Classes {
  nb::handle usage, input, output, resource;

  [[nodiscard]] nb::handle of(ErrorCode code) const {
    switch (code) {
      case ErrorCode::kUsage:
        return usage;
      case ErrorCode::kInput:
        return input;
      case ErrorCode::kOutput:
        return output;
      case ErrorCode::kResource:
        return resource;
      case ErrorCode::kStopped:
        return PyExc_KeyboardInterrupt;
    }
    return usage;
  }
};

// The classes live as long as the module, which is never unloaded.
Classes& classes() {
  static Classes all;
  return all;
}

nb::object make_class(nb::module_& module, const char* name, const char* doc, nb::tuple bases) {
  nb::dict members;
  members["__doc__"] = doc;
  members["__module__"] = "neardup";
  nb::object made = nb::handle(reinterpret_cast<PyObject*>(&PyType_Type))(name, bases, members);
  module.attr(name) = made;
  return made;
}

}  // namespace

void bind_errors(nb::module_& module) {
  const nb::object base = make_class(module, "Error", "What neardup refuses or cannot do; the base of its errors.",
                                     nb::make_tuple(nb::handle(PyExc_Exception)));
  const auto child = [&](const char* name, const char* doc, PyObject* kind) {
    return make_class(module, name, doc, nb::make_tuple(base, nb::handle(kind))).release();
  };
  classes() = {child("UsageError", "A wrong option or recipe: the caller can correct the call.", PyExc_ValueError),
               child("InputError", "An input that is missing, unreadable, or changed while it was read.", PyExc_OSError),
               child("OutputError", "An output that cannot be written.", PyExc_OSError),
               child("ResourceError", "A limit of this machine or of the options: memory, number of documents.", PyExc_MemoryError)};
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      // A message can have the bytes of a file name.
      PyErr_SetObject(classes().of(error.code()).ptr(), str_of(in_python(error.what())).ptr());
    }
  });
}

}  // namespace neardup::python
