#include "bind_versions.h"

#include "neardup/tools/library_versions.h"

namespace nb = nanobind;

namespace neardup::python {

void bind_versions(nb::module_& module) {
  module.def(
      "library_versions",
      [] {
        nb::dict versions;
        for (const LibraryVersion& library : library_versions()) {
          versions[nb::str(library.name.data(), library.name.size())] = nb::str(library.version.data(), library.version.size());
        }
        return versions;
      },
      nb::sig("def library_versions() -> dict[str, str]"),
      "The libraries that neardup was built with, and their versions; name them when you report an error.\n\n"
      "'jieba dictionary' is the id of the dictionary in use: results with equal ids are comparable. A part that is missing is 'none: ' "
      "and\n"
      "what is not available without it.");
}

}  // namespace neardup::python
