#include "neardup/tools/run_sketcher.h"

#include <fmt/format.h>

#include <utility>

#include "dedup/fit/corpus_frequencies.h"
#include "neardup/error.h"

namespace neardup {

RunSketcher::RunSketcher(const std::string& directory, const Recipe& recipe, Which which) {
  if (!recipe.needs_fitting()) {
    sketcher_ = std::make_unique<const Sketcher>(recipe);
    return;
  }
  if (directory.empty()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("recipe '{}' weighs by the IDF of the corpus itself, which only the checkpoint directory of the run has", recipe.name));
  }
  const std::string path = directory + (which == Which::kFirst ? "/fitted-1.idf" : "/fitted-2.idf");
  std::optional<FittedRecipe> fitted = load_fitted(recipe, path);
  if (!fitted) throw Error(ErrorCode::kInput, fmt::format("'{}', the IDF that the run fitted, is missing or damaged", path));
  sketcher_ = std::make_unique<const Sketcher>(fitted->recipe, fitted->table.get());
  table_ = std::move(fitted->table);
}

RunSketcher::~RunSketcher() = default;

}  // namespace neardup
