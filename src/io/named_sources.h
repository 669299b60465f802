// Sources that only have names (name_sources()).
#pragma once

#include "neardup/source.h"

namespace neardup {

/// True if the source has no documents and never will: no bytes is not to say that they are unknown.
bool is_only_names(const DocumentSource& source) noexcept;

}  // namespace neardup
