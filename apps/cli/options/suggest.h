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

/// "a, b or c".
std::string either(const std::vector<std::string>& names);

/// "expected fit, merge or info, not 'fti'; did you mean fit?"
std::string expected_name(const std::vector<std::string>& names, std::string_view word);

/// The option of `names` that is meant by `word`: the one that has this name in other programs, or else the nearest(). Empty: none.
std::string meant_option(std::string_view word, const std::vector<std::string>& names);

}  // namespace neardup::cli
