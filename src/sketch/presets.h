// The built-in recipes: recipes/*.json, compiled in.
#pragma once

#include <span>
#include <string_view>

namespace neardup {

struct Preset {
  std::string_view name;
  std::string_view json;
};

/// Sorted by name.
std::span<const Preset> presets();

}  // namespace neardup
