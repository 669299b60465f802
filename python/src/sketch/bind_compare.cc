#include "sketch/bind_compare.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "neardup/compare.h"
#include "neardup/tools/align.h"
#include "neardup/tools/aligned_excerpt.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_recipe.h"
#include "options.h"
#include "run_job.h"
#include "sketch/bind_recipe.h"
#include "sketch/excerpt_pieces.h"
#include "str_of.h"
#include "texts.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// Counts the characters before places in a text, which must ascend.
class CharacterCount {
 public:
  explicit CharacterCount(std::string_view text) noexcept : text_(text) {}
  size_t before(size_t byte) noexcept {
    for (; at_ < byte; ++at_) characters_ += (static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80;
    return characters_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t characters_ = 0;
};

nb::dict side_of(const Comparison::Side& side) {
  nb::dict dict;
  dict["bytes"] = side.bytes;
  dict["tokens"] = side.tokens;
  dict["shingles"] = side.shingles;
  dict["features"] = side.features;
  dict["too_short"] = side.too_short;
  return dict;
}

// A fingerprint as the integer that it is.
nb::object integer_of(Fingerprint128 code) {
  return nb::int_(code.high) * nb::int_(uint64_t{1} << 32) * nb::int_(uint64_t{1} << 32) + nb::int_(code.low);
}

void put_fingerprints(const Comparison& c, const Recipe& recipe, nb::dict& dict) {
  const bool fixed_point = recipe.weighting == Weighting::kTfIdf || recipe.weighting == Weighting::kJiebaKeywords;
  const auto weight = [&](int32_t value) -> nb::object {
    if (fixed_point) return nb::float_(value / kWeightOne);
    return nb::int_(value);
  };
  dict["bits"] = c.bits;
  dict["fingerprint_a"] = c.a.too_short ? nb::object(nb::none()) : integer_of(c.fingerprint_a);
  dict["fingerprint_b"] = c.b.too_short ? nb::object(nb::none()) : integer_of(c.fingerprint_b);
  dict["distance"] = c.measurable() ? nb::object(nb::int_(c.distance)) : nb::object(nb::none());
  dict["weighted_cosine"] = c.measurable() ? nb::object(nb::float_(c.weighted_cosine)) : nb::object(nb::none());
  dict["words_in_all"] = c.words_in_all;
  nb::list words;
  for (const ComparedWord& word : c.words) words.append(nb::make_tuple(str_of(word.word), weight(word.weight_a), weight(word.weight_b)));
  dict["words"] = words;
}

void put_signatures(const Comparison& c, const RunPlan& plan, bool contained, nb::dict& dict) {
  const auto measure = [&](double value) { return c.measurable() ? nb::object(nb::float_(value)) : nb::object(nb::none()); };
  dict["estimate"] = measure(c.estimate);
  dict["estimate_low"] = measure(c.estimate_low);
  dict["estimate_high"] = measure(c.estimate_high);
  if (!contained) dict["found_probability"] = measure(1 - plan.miss_probability(c.jaccard()));
  dict["equal_lanes"] = c.equal_lanes;
  dict["lanes"] = c.lanes;
  dict["bands"] = plan.bands;
  dict["rows_per_band"] = plan.rows_per_band;
}

nb::dict comparison_of(const Comparison& c, const Options& options, const RunPlan& plan) {
  const bool contained = options.measure == Measure::kContainment;
  const auto measure = [&](double value) { return c.measurable() ? nb::object(nb::float_(value)) : nb::object(nb::none()); };
  nb::dict dict;
  dict["recipe"] = nb::cast(GivenRecipe{plan.recipe, options.recipe});
  dict["threshold"] = options.threshold.value();
  dict["max_distance"] = options.max_distance;
  dict["measure"] = contained ? "containment" : "jaccard";
  dict["a"] = side_of(c.a);
  dict["b"] = side_of(c.b);
  dict["exact_copy"] = c.exact_copy;
  dict["numbers_differ"] = c.numbers_differ;
  dict["common"] = c.overlap.common;
  dict["union"] = c.overlap.union_size();
  dict["jaccard"] = measure(c.jaccard());
  dict["containment_a"] = measure(c.containment_of_a());
  dict["containment_b"] = measure(c.containment_of_b());
  dict["cosine"] = measure(c.cosine());
  if (contained) {
    const Comparison::Contained found = c.contained(options);
    dict["a_in_b"] = found.a_in_b;
    dict["b_in_a"] = found.b_in_a;
    dict["match"] = found.any();
  } else {
    dict["match"] = c.bits > 0 ? c.matches_within(options.max_distance) : c.matches(options.threshold);
  }
  if (c.bits > 0) {
    put_fingerprints(c, plan.recipe, dict);
  } else {
    put_signatures(c, plan, contained, dict);
  }
  nb::list passages;
  for (const SharedPassage& passage : c.passages) passages.append(nb::make_tuple(passage.tokens, str_of(passage.text)));
  dict["passages"] = passages;
  dict["passages_skipped"] = c.passages_skipped;
  return dict;
}

nb::list presets_of(const std::vector<PresetVerdict>& verdicts) {
  nb::list list;
  for (const PresetVerdict& verdict : verdicts) {
    nb::dict dict;
    dict["name"] = verdict.name;
    if (!verdict.problem.empty()) {
      dict["problem"] = verdict.problem;
    } else {
      if (verdict.too_short) {
        dict["similarity"] = nb::none();
      } else if (verdict.bits > 0) {
        dict["bits"] = verdict.bits;
        dict["distance"] = verdict.distance;
      } else {
        dict["similarity"] = verdict.jaccard;
      }
      dict["exact_copy"] = verdict.exact_copy;
      dict["too_short"] = verdict.too_short;
      dict["match"] = verdict.match;
    }
    list.append(dict);
  }
  return list;
}

// A pair of texts as views that live as long as it does.
struct TextPair {
  TextPair(nb::handle first, nb::handle second)
      : a_kept(nb::borrow(first)), b_kept(nb::borrow(second)), a(text_of(first, repaired, "a")), b(text_of(second, repaired, "b")) {}

  [[nodiscard]] uint64_t bytes() const noexcept { return a.size() + b.size(); }

  nb::object a_kept;
  nb::object b_kept;
  std::deque<std::string> repaired;
  std::string_view a;
  std::string_view b;
};

nb::dict compare(nb::handle a, nb::handle b, nb::handle recipe, const GivenOptions& given, size_t passages, size_t words, bool presets) {
  const TextPair texts(a, b);
  Options options = options_of(given, "compare");
  options.recipe = given_recipe(recipe).given;
  RunPlan plan;
  Comparison comparison;
  std::vector<PresetVerdict> verdicts;
  run_text_job(texts.bytes(), [&](const StopFunction& stop) {
    const StopScope scope(&stop);
    plan = plan_run(options);
    const Sketcher sketcher(plan.recipe);
    comparison = compare_texts(sketcher, texts.a, texts.b, passages, words);
    if (presets) verdicts = preset_verdicts(texts.a, texts.b, options.threshold, options.max_distance);
  });
  nb::dict dict = comparison_of(comparison, options, plan);
  if (presets) dict["presets"] = presets_of(verdicts);
  return dict;
}

nb::list parts_of(const TextPair& texts, const Alignment& alignment, const std::vector<std::optional<ChangeKind>>& kinds) {
  CharacterCount of_a(texts.a);
  CharacterCount of_b(texts.b);
  nb::list list;
  for (size_t i = 0; i < alignment.parts.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    const nb::object change = kinds[i] ? nb::object(str_of(name_of(*kinds[i]))) : nb::object(nb::none());
    const size_t a_begin = of_a.before(part.a_begin);
    const size_t b_begin = of_b.before(part.b_begin);
    list.append(nb::make_tuple(part.kind == AlignedPart::kSame ? "same" : "changed", change, str_of(part.text_of_a(texts.a)),
                               str_of(part.text_of_b(texts.b)), a_begin, of_a.before(part.a_end), b_begin, of_b.before(part.b_end)));
  }
  return list;
}

// "[-of a-] and {+of b+}", with long equal passages left out.
std::string marked(const std::vector<ExcerptPiece>& pieces) {
  std::string text;
  for (const ExcerptPiece& piece : pieces) {
    switch (piece.kind) {
      case ExcerptPiece::kSame:
        text += piece.text;
        break;
      case ExcerptPiece::kOnlyA:
        text += fmt::format("[-{}-]", piece.text);
        break;
      case ExcerptPiece::kOnlyB:
        text += fmt::format("{{+{}+}}", piece.text);
        break;
      case ExcerptPiece::kLeftOut:
        text += fmt::format(" [... {} characters ...] ", piece.characters);
        break;
      case ExcerptPiece::kMore:
        text += fmt::format(" [... {} more characters]", piece.characters);
        break;
    }
  }
  return text;
}

nb::dict align(nb::handle a, nb::handle b, bool join_changes) {
  const TextPair texts(a, b);
  Alignment alignment;
  std::vector<std::optional<ChangeKind>> kinds;
  ChangeCounts counts;
  std::vector<ExcerptPiece> excerpt;
  run_text_job(texts.bytes(), [&](const StopFunction& stop) {
    const StopScope scope(&stop);
    alignment = align_texts(texts.a, texts.b, {.join_changes = join_changes});
    kinds = kinds_of_parts(texts.a, texts.b, alignment);
    counts = classify_changes(texts.a, texts.b, alignment);
    excerpt = aligned_excerpt(texts.a, texts.b, alignment, {.context = 60, .passage = 600, .characters = 4000});
  });
  nb::dict dict;
  dict["parts"] = parts_of(texts, alignment, kinds);
  nb::dict changes;
  for (size_t kind = 0; kind < kChangeKinds; ++kind) {
    const ChangeCounts::Count& count = counts.kinds[kind];
    if (count.changes > 0) changes[str_of(name_of(static_cast<ChangeKind>(kind)))] = nb::make_tuple(count.changes, count.characters);
  }
  dict["changes"] = changes;
  dict["coarse"] = alignment.coarse;
  dict["excerpt"] = str_of(marked(excerpt));
  dict["pieces"] = pieces_of(excerpt);
  return dict;
}

}  // namespace

void bind_compare(nb::module_& module) {
  module.def("compare", &compare, nb::arg("a").none(), nb::arg("b").none(), nb::arg("recipe").none(), nb::arg("options"),
             nb::arg("passages"), nb::arg("words"), nb::arg("presets"));
  module.def("align", &align, nb::arg("a").none(), nb::arg("b").none(), nb::arg("join_changes"));
}

}  // namespace neardup::python
