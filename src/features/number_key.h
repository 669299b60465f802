// numbers_v1: a hash of the numbers of a normalized text, equal for texts that have the same numbers, each as often, in any order.
//
// A recipe whose numbers must agree combines it with every feature, so that texts with other numbers have no feature in common: they match
// under no threshold, and no search brings them together. docs/recipe.md defines what a number is. Total; for one thread per scratch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct NumberScratch {
  std::vector<std::string_view> numbers;
  std::string joined;
};

uint64_t number_key(std::string_view normalized, NumberScratch& scratch);

}  // namespace neardup
