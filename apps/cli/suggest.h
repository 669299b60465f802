// suggest: the known name that a mistyped one most likely means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::cli {

/// Insertions, deletions, substitutions and swaps of neighbours that lead from one to the other.
size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names`, the first of equally near ones; empty when none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace neardup::cli
