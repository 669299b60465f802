// The recipe for queries of an index.
#include <fmt/format.h>

#include "neardup/error.h"
#include "neardup/recipe.h"
#include "neardup/tools/index_recipe.h"
#include "neardup/tools/run_recipe.h"
#include "sketch/canonical_recipe.h"
#include "text/utf8/code_points.h"

namespace neardup {
namespace {

void check_recipe(const Recipe& recipe) {
  if (!recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage, fmt::format("recipe: '{}' makes MinHash signatures, but an index stores fingerprints; take a "
                                               "fingerprint recipe, such as simhash-words-3",
                                               recipe.name));
  }
  if (recipe.needs_fitting()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe '{}' fits its IDF to the corpus of each run, so that fingerprints of two runs cannot "
                            "be compared; fit a table once (neardup idf fit) and name its file in the recipe",
                            recipe.name));
  }
}

// Another version of Unicode is another recipe, whatever else is equal.
void check_unicode(const std::string& folder, const HammingStoreSpec& spec) {
  if (spec.recipe.empty()) return;
  const std::string theirs = unicode_of(spec.recipe);
  if (theirs == unicode_version()) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("index '{}' was built under Unicode {} and this build has Unicode {}, so fingerprints of equal texts may "
                          "differ; use a build with Unicode {}, or build the index again",
                          folder, theirs, unicode_version(), theirs));
}

}  // namespace

std::string preset_with_id(uint64_t recipe_id) {
  for (const std::string_view name : Recipe::preset_names()) {
    try {
      if (Recipe::load(std::string(name)).id() == recipe_id) return std::string(name);
    } catch (const Error&) {
      continue;
    }
  }
  return {};
}

void check_index_recipe(const std::string& folder, const HammingStoreSpec& spec, const Recipe& recipe) {
  check_recipe(recipe);
  if (recipe.bits != spec.bits) {
    throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has fingerprints of {} bits; recipe '{}' makes {}", folder, spec.bits,
                                               recipe.name, recipe.bits));
  }
  if (spec.recipe_id == 0 || spec.recipe_id == recipe.id()) return;
  check_unicode(folder, spec);
  const std::string preset = preset_with_id(spec.recipe_id);
  const std::string& known = preset.empty() ? spec.recipe : preset;
  throw Error(ErrorCode::kUsage, fmt::format("the index '{}' was built with recipe {:016x}{}, not with '{}' ({:016x})", folder,
                                             spec.recipe_id, known.empty() ? "" : fmt::format(" ({})", known), recipe.name, recipe.id()));
}

std::string index_recipe(const std::string& folder, const HammingStoreSpec& spec, const std::string& given) {
  if (!given.empty()) {
    check_index_recipe(folder, spec, Recipe::load(given));
    return given;
  }
  if (spec.recipe_id == 0)
    throw Error(ErrorCode::kUsage, fmt::format("the index '{}' does not name the recipe of its fingerprints: give --recipe", folder));
  if (std::string preset = preset_with_id(spec.recipe_id); !preset.empty()) return preset;
  check_unicode(folder, spec);
  try {
    if (!spec.recipe.empty() && Recipe::load(spec.recipe).id() == spec.recipe_id) return spec.recipe;
  } catch (const Error&) {
    // It uses files, whose paths its canonical form does not contain.
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("index '{}' was built with a custom recipe (id {:016x}); pass that recipe file with --recipe{}", folder,
                          spec.recipe_id, spec.recipe.empty() ? "" : fmt::format("; its canonical form is {}", spec.recipe)));
}

Options with_index_recipe(const std::string& folder, const HammingStoreSpec& spec, Options options, bool recipe_given) {
  if (!recipe_given) options.recipe = index_recipe(folder, spec, "");
  if (recipe_given || !options.clean.empty()) check_index_recipe(folder, spec, run_recipe(options));
  return options;
}

HammingStoreSpec index_spec(const Options& options) {
  const Recipe recipe = run_recipe(options);
  check_recipe(recipe);
  return {.bits = recipe.bits, .radius = options.max_distance, .recipe_id = recipe.id(), .recipe = recipe.canonical_json(), .names = true};
}

}  // namespace neardup
