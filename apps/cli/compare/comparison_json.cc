// What `neardup compare --json` prints.
#include <fmt/format.h>

#include "cli/compare/comparison_text.h"
#include "cli/text_format.h"

namespace neardup::cli {
namespace {

std::string json_side(std::string_view name, const Comparison::Side& side) {
  return fmt::format(R"({{"name":{},"bytes":{},"tokens":{},"shingles":{},"features":{},"too_short":{}}})", json_quote(name), side.bytes,
                     side.tokens, side.shingles, side.features, side.too_short);
}

// Members of a recipe of fingerprints, with a comma after each.
std::string json_fingerprints(const ComparisonPage& page) {
  const Comparison& c = page.comparison;
  const auto code = [&](const Comparison::Side& side, Fingerprint128 fingerprint) {
    if (side.too_short) return std::string("null");
    return fmt::format("\"{}\"", c.bits == 64 ? to_hex(fingerprint.low_half()) : to_hex(fingerprint));
  };
  std::string text = fmt::format(R"("bits":{},"fingerprint_a":{},"fingerprint_b":{},"max_distance":{},)", c.bits,
                                 code(c.a, c.fingerprint_a), code(c.b, c.fingerprint_b), page.max_distance);
  text += c.measurable() ? fmt::format(R"("distance":{},"weighted_cosine":{:.6f},"differing_bits":[)", c.distance, c.weighted_cosine)
                         : R"("distance":null,"weighted_cosine":null,"differing_bits":[)";
  bool first = true;
  for (uint32_t bit = 0; c.measurable() && bit < c.bits; ++bit) {
    if (!differs(c, bit)) continue;
    text += fmt::format("{}{}", first ? "" : ",", bit);
    first = false;
  }
  text += fmt::format("],\"words_in_all\":{},\"words\":[", c.words_in_all);
  for (size_t i = 0; i < c.words.size(); ++i) {
    text += fmt::format("{}{{\"word\":{},\"weight_a\":{},\"weight_b\":{}}}", i == 0 ? "" : ",", json_quote(c.words[i].word),
                        weight_value(page.plan.recipe, c.words[i].weight_a), weight_value(page.plan.recipe, c.words[i].weight_b));
  }
  return text + "],";
}

std::string json_preset(const PresetVerdict& verdict) {
  const std::string begin = fmt::format("{{\"name\":{},", json_quote(verdict.name));
  if (!verdict.problem.empty()) return begin + fmt::format("\"problem\":{}}}", json_quote(verdict.problem));
  const std::string measure = verdict.too_short  ? R"("similarity":null,)"
                              : verdict.bits > 0 ? fmt::format(R"("bits":{},"distance":{},)", verdict.bits, verdict.distance)
                                                 : fmt::format(R"("similarity":{:.9g},)", verdict.jaccard);
  return begin +
         fmt::format(R"({}"exact_copy":{},"too_short":{},"match":{}}})", measure, verdict.exact_copy, verdict.too_short, verdict.match);
}

}  // namespace

std::string ComparisonPage::to_json() const {
  const Comparison& c = comparison;
  std::string text = fmt::format(R"({{"recipe":{},"recipe_id":"{:016x}","threshold":{},"a":{},"b":{},"exact_copy":{},"match":{},)",
                                 json_quote(plan.recipe.name), plan.recipe.id(), threshold.value(), json_side(name_a, c.a),
                                 json_side(name_b, c.b), c.exact_copy, match());
  // Similarities of texts without features mean nothing: null.
  const auto measure = [&](std::string_view name, double value) {
    text += c.measurable() ? fmt::format("\"{}\":{:.9g},", name, value) : fmt::format("\"{}\":null,", name);
  };
  text += fmt::format("\"common\":{},\"union\":{},", c.overlap.common, c.overlap.union_size());
  measure("jaccard", c.jaccard());
  measure("containment_a", c.containment_of_a());
  measure("containment_b", c.containment_of_b());
  measure("cosine", c.cosine());
  if (c.bits > 0) {
    text += json_fingerprints(*this);
  } else {
    measure("estimate", c.estimate);
    measure("estimate_low", c.estimate_low);
    measure("estimate_high", c.estimate_high);
    measure("found_probability", 1 - plan.miss_probability(c.jaccard()));
    text += fmt::format(R"("equal_lanes":{},"lanes":{},"bands":{},"rows_per_band":{},)", c.equal_lanes, c.lanes, plan.bands,
                        plan.rows_per_band);
  }
  text += fmt::format("\"passages_skipped\":{},\"passages\":[", c.passages_skipped);
  for (size_t i = 0; i < c.passages.size(); ++i) {
    text += fmt::format("{}{{\"tokens\":{},\"text\":{}}}", i == 0 ? "" : ",", c.passages[i].tokens, json_quote(c.passages[i].text));
  }
  text += "],\"presets\":[";
  for (size_t i = 0; i < presets.size(); ++i) text += (i == 0 ? "" : ",") + json_preset(presets[i]);
  text += "]}\n";
  return text;
}

}  // namespace neardup::cli
