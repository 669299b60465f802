// Several sources, one after the other, as one. The ordinals of each follow on those before it. concatenate(), append_source() and
// name_sources() of neardup/io.h are implemented here, too.
#pragma once

#include <memory>
#include <vector>

#include "neardup/source.h"

namespace neardup {

/// The first `reference` of the parts are a reference corpus. A part without documents may be one of them.
std::unique_ptr<DocumentSource> make_source_sequence(std::vector<std::unique_ptr<DocumentSource>> parts, size_t reference);

}  // namespace neardup
