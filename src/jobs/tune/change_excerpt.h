// change_excerpt(): the surroundings of the first differences of two texts, in one line for people.
#pragma once

#include <string>
#include <string_view>

#include "neardup/tools/align.h"

namespace neardup {

/// "...before [-only in a-]{+only in b+} after...", cut between words, about 120 characters, white space as single blanks. Empty if the
/// texts do not differ.
std::string change_excerpt(std::string_view a, std::string_view b, const Alignment& alignment);

}  // namespace neardup
