// NamedFolder: a store or clue index that is served, and its name there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::cli {

struct NamedFolder {
  std::string name;
  std::string folder;
};

inline constexpr size_t kMostServiceName = 64;

/// True for 1 to kMostServiceName letters, digits, '-' and '_', of which the first is a letter or digit.
constexpr bool is_service_name(std::string_view name) noexcept {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kMostServiceName && is_word(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_word(c) || c == '-' || c == '_'; });
}

}  // namespace neardup::cli
