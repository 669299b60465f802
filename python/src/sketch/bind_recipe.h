// The recipe of a sketch, as _core.Recipe, and how arguments become one.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "neardup/recipe.h"

namespace neardup::python {

/// A weight of one as a fixed-point number: docs/weights.md.
inline constexpr double kWeightOne = 65536;

/// A recipe and the text that it was loaded from: its canonical form does not name files.
struct GivenRecipe {
  Recipe recipe;
  std::string given;
};

/// Of the name of a preset, a path, JSON, a dict or a _core.Recipe. Throws TypeError, and what Recipe::load() throws.
GivenRecipe given_recipe(nanobind::handle argument);

/// "simhash_v1": as the field "sketch" of a recipe names it.
const char* sketch_name(const Recipe& recipe) noexcept;

void bind_recipe(nanobind::module_& module);

}  // namespace neardup::python
