#include "neardup/tools/run_recipe.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "neardup/error.h"
#include "sketch/presets.h"
#include "text/clean/cleaner.h"

namespace neardup {
namespace {

namespace json = boost::json;

bool is_markup_cleaner(const json::value& cleaner) {
  return cleaner == "html_v1" || cleaner == "tags_v1";
}

// The name of the preset that is this recipe, or empty. Loads only presets that may be it: hashing the dictionary of Chinese words takes
// longer than many runs.
std::string preset_of(const Recipe& recipe) {
  for (const Preset& preset : presets()) {
    const bool has_cleaners = preset.json.find("\"clean\"") != std::string_view::npos;
    const bool has_words = preset.json.find("\"jieba_") != std::string_view::npos;
    if (has_cleaners != (recipe.clean != "[]") || has_words != recipe.uses_jieba()) continue;
    try {
      if (Recipe::parse(preset.json, preset.name).id() == recipe.id()) return std::string(preset.name);
    } catch (const Error&) {
      continue;  // a file that it uses is not installed
    }
  }
  return {};
}

}  // namespace

Recipe run_recipe(const Options& options) {
  return with_cleaner(Recipe::load(options.recipe), options.clean);
}

std::optional<Recipe> run_also(const Options& options) {
  if (options.also.empty()) return std::nullopt;
  return with_cleaner(Recipe::load(options.also), options.clean);
}

Recipe with_cleaner(Recipe recipe, std::string_view clean) {
  if (clean.empty()) return recipe;
  const std::string before = recipe.clean;
  if (clean == "none") {
    recipe.clean = "[]";
    recipe.line_lists.clear();
  } else {
    json::array cleaners{json::value(fmt::format("{}_v1", clean))};
    const json::value described = json::parse(recipe.clean);
    for (const json::value& cleaner : described.get_array()) {
      if (!is_markup_cleaner(cleaner)) cleaners.push_back(cleaner);
    }
    recipe.clean = CleanChain::parse(json::serialize(cleaners), {.line_lists = recipe.line_lists}).describe();
  }
  if (recipe.clean == before) return recipe;
  recipe.check();
  const std::string preset = preset_of(recipe);
  recipe.name = preset.empty() ? fmt::format("{} --clean {}", recipe.name, clean) : preset;
  return recipe;
}

}  // namespace neardup
