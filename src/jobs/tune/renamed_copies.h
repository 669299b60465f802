// find_renamed_copies(): copies of source code in which only names were changed, as opposed to code of the same shape.
//
// Both are near under code-5-renamed and not under code-5. They differ in numbers and strings: whoever disguises a program changes its
// names, but it must still compute and print the same; the classes of one code base that follow one pattern do something else with each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/tune.h"

namespace neardup {

/// `search`: the machine; its recipe does not matter. A function of the texts.
TunePairs::RenamedCopies find_renamed_copies(const Options& search, const std::vector<std::string_view>& texts);

/// What two programs have in common if names count.
struct CodeOverlap {
  double shingles = 0;             ///< Jaccard similarity of the sets of five tokens, as code-5 has it
  std::optional<double> literals;  ///< of the numbers and strings, each as often as it occurs; nothing if both have fewer than five
};
/// Total: any bytes are code.
CodeOverlap compare_code(std::string_view a, std::string_view b);

}  // namespace neardup
