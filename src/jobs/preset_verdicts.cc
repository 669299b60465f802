#include "features/feature_set.h"
#include "neardup/compare.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"

namespace neardup {
namespace {

struct Prepared {
  Sketcher::Result result;
  std::vector<uint32_t> sketch;
  std::vector<uint64_t> features;
};

Prepared prepare(const Sketcher& sketcher, std::string_view text) {
  Prepared prepared;
  Sketcher::Scratch scratch;
  prepared.sketch.resize(sketcher.sketch_words());
  prepared.result = sketcher.sketch(text, scratch, prepared.sketch);
  const auto features = sketcher.features(text, scratch);
  prepared.features.assign(features.begin(), features.end());
  return prepared;
}

void judge(const Recipe& recipe, std::string_view text_a, std::string_view text_b, Threshold threshold, uint32_t max_distance,
           PresetVerdict& verdict) {
  const Sketcher sketcher(recipe);
  const Prepared a = prepare(sketcher, text_a);
  const Prepared b = prepare(sketcher, text_b);
  const Overlap overlap{.common = count_common(a.features, b.features),
                        .size_a = static_cast<uint32_t>(a.features.size()),
                        .size_b = static_cast<uint32_t>(b.features.size())};
  verdict.exact_copy = a.result.exact == b.result.exact;
  verdict.too_short = a.result.too_short || b.result.too_short;
  verdict.jaccard = overlap.jaccard();
  bool near = threshold.met_by(overlap);
  if (recipe.fingerprints()) {
    verdict.bits = recipe.bits;
    if (!verdict.too_short) verdict.distance = hamming_distance(Sketcher::fingerprint(a.sketch), Sketcher::fingerprint(b.sketch));
    near = verdict.distance <= max_distance;
  }
  verdict.match = verdict.exact_copy || (!verdict.too_short && near);
}

}  // namespace

std::vector<PresetVerdict> preset_verdicts(std::string_view a, std::string_view b, Threshold threshold, uint32_t max_distance) {
  std::vector<PresetVerdict> verdicts;
  for (const std::string_view name : Recipe::preset_names()) {
    PresetVerdict& verdict = verdicts.emplace_back();
    verdict.name = name;
    try {
      const Recipe recipe = Recipe::load(verdict.name);
      if (recipe.needs_fitting()) {
        verdict.problem = "weighs by the IDF of a corpus, and two texts are none";
      } else {
        judge(recipe, a, b, threshold, max_distance, verdict);
      }
    } catch (const Error& error) {
      verdict.problem = error.what();  // its dictionary is not there
    }
  }
  return verdicts;
}

}  // namespace neardup
