// pieces_of(): an excerpt of an alignment as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "neardup/tools/aligned_excerpt.h"

namespace neardup::python {

/// A list of (same, a, b, left_out or more; text; characters).
nanobind::list pieces_of(const std::vector<ExcerptPiece>& excerpt);

}  // namespace neardup::python
