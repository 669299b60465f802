// kJsonPadding: how far simdjson reads beyond the end of a line. Stated here so that buffers need not include simdjson.h.
#pragma once

#include <cstddef>

namespace neardup {

inline constexpr size_t kJsonPadding = 64;  ///< json_record.cc compares it with simdjson's own constant

}  // namespace neardup
