// find_moved(): which sides of changes stand elsewhere in the other text.
//
// A side of at least kMinBlockUnits units is moved if a side of the other text, in another part, has at least half of its windows of that
// width. Of very much changed text only a sample of the windows counts. Time is linear in the changed text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/tools/align.h"

namespace neardup {

inline constexpr uint32_t kMinBlockUnits = 8;

struct MovedSides {
  bool a = false;
  bool b = false;
};

/// One for each part.
std::vector<MovedSides> find_moved(std::string_view a, std::string_view b, const Alignment& alignment);

}  // namespace neardup
