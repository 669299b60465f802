// has_ending(): what the end of a name says of an output or a table. Upper case says the same: KEPT.CSV is kept.csv.
#pragma once

#include <algorithm>
#include <string_view>

namespace neardup {

/// `ending` is in lower case, like ".jsonl".
inline bool has_ending(std::string_view name, std::string_view ending) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() >= ending.size() && std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
}

}  // namespace neardup
