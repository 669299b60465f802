// has_ending(): what the end of a name says of an output or a table. Upper case says the same: KEPT.CSV is kept.csv.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace neardup {

inline char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_case(std::string_view ending) {
  std::string lower(ending);
  std::ranges::transform(lower, lower.begin(), [](char c) { return lower_case(c); });
  return lower;
}

/// `ending` is in lower case, like ".jsonl".
inline bool has_ending(std::string_view name, std::string_view ending) noexcept {
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, [](char c) { return lower_case(c); });
}

}  // namespace neardup
