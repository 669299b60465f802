#include "cli/compare/text_fingerprint.h"

#include <fmt/format.h>

#include <vector>

#include "neardup/error.h"
#include "neardup/sketcher.h"

namespace neardup::cli {

Fingerprint128 fingerprint_of(const std::string& text, const std::string& name, const Recipe& recipe) {
  const Sketcher sketcher(recipe);
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(sketcher.sketch_words());
  if (sketcher.sketch(text, scratch, words).too_short)
    throw Error(ErrorCode::kInput, fmt::format("{} is too short for a fingerprint of recipe '{}'", name, recipe.name));
  return Sketcher::fingerprint(words);
}

}  // namespace neardup::cli
