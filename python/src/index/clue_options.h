// clue_search_of(): the options of a question about clues, as the package passes them.
#pragma once

#include <nanobind/nanobind.h>

#include "neardup/clue_index.h"

namespace neardup::python {

/// Of the members that the package has checked. Throws UsageError that names a member out of bounds.
ClueSearch clue_search_of(const nanobind::dict& given);

}  // namespace neardup::python
