#include "jobs/tune/advice.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "jobs/tune/corpus_statistics.h"

namespace neardup {
namespace {

constexpr uint64_t kFewPairs = 20;  // examined; what so few have in common may be chance

std::string percent_of(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

bool enough_pairs(const Finding& found) {
  return found.pairs.examined >= kFewPairs;
}

const RecipeRule kRules[] = {
    {"code", [](const Finding& found) { return found.corpus.code >= 0.5; }, "code-5", 0.4, 0.6, 0.7,
     [](const Finding& found) {
       return fmt::format("{} of the documents look like source code: code-5 compares its tokens and ignores comments and layout",
                          percent_of(found.corpus.code));
     },
     "versions of a program share few 5-grams of tokens, so thresholds for code are low"},
    {"few pairs", [](const Finding& found) { return !enough_pairs(found); }, "words-5", 0.8, 0.8, 0.8,
     [](const Finding& found) {
       return fmt::format("only {} near-duplicates were found in the sample, too few to tell more: the default", found.pairs.examined);
     },
     "the default"},
    {"letters", [](const Finding& found) { return found.kind(PairKind::kLetters) >= 0.4; }, "chars-5", 0.7, 0.8, 0.85,
     [](const Finding& found) {
       return fmt::format(
           "in {} of the near-duplicates, letters inside words change (typing or recognition errors): each would change five 5-grams of "
           "words, but few of characters",
           percent_of(found.kind(PairKind::kLetters)));
     },
     "errors inside words cost little similarity under chars-5"},
    {"facts", [](const Finding& found) { return found.kind(PairKind::kFacts) + found.kind(PairKind::kDigits) >= 0.4; }, "words-5", 0.9, 0.9,
     0.95,
     [](const Finding& found) {
       return fmt::format("in {} of the near-duplicates, numbers change: texts with other facts, which words-5 tells apart best",
                          percent_of(found.kind(PairKind::kFacts) + found.kind(PairKind::kDigits)));
     },
     "below 0.9, texts of one form with other dates and amounts would count as duplicates"},
    {"passages", [](const Finding& found) { return found.kind(PairKind::kBlocks) >= 0.4; }, "words-5", 0.5, 0.7, 0.8,
     [](const Finding& found) {
       return fmt::format("in {} of the near-duplicates, whole passages are added or left out: words-5 loses few 5-grams by that",
                          percent_of(found.kind(PairKind::kBlocks)));
     },
     "a passage more or less lowers the similarity, although the rest is the same"},
    {"default", [](const Finding&) { return true; }, "words-5", 0.6, 0.8, 0.9,
     [](const Finding&) { return std::string("no kind of change dominates: 5-grams of words suit most text"); }, "the default"},
};

std::string threshold_reason(const RecipeRule& rule, const PairDensities& densities, std::optional<size_t> valley, double threshold) {
  if (!valley) return fmt::format("{}; the similarities of the pairs show no better place", rule.threshold_reason);
  return fmt::format("near-duplicates and texts that are merely alike part here: {} pairs at {:.2f} to {:.2f}, and more on both sides",
                     densities[*valley], threshold, threshold + SamplePairs::kWidth);
}

void advise_length(const Finding& found, TuneAdvice& advice) {
  constexpr double kManyShort = 0.01;
  if (found.corpus.short_texts < kManyShort) return;
  advice.min_length = static_cast<uint32_t>(found.mostly_han() ? kShortText / 2 : kShortText);
  advice.reasons.push_back(
      {"min_length", fmt::format("{} of the documents are shorter: one word more or less decides there, so they are removed as exact "
                                 "copies only",
                                 percent_of(found.corpus.short_texts))});
}

void advise_cleaning(const Finding& found, const std::string& clean, TuneAdvice& advice) {
  constexpr double kMuchBoilerplate = 0.1;
  if (clean == "html") {
    advice.clean = clean;
    advice.reasons.push_back({"clean", fmt::format("{} of the documents are pages of HTML; without their markup, their texts are compared",
                                                   percent_of(found.corpus.html))});
  }
  if (found.corpus.line_characters >= kMuchBoilerplate) {
    advice.notes.push_back(fmt::format(
        "{} of the text is in lines that many documents share. If these are menus and notices, 'neardup lines fit' makes a list of "
        "them, and a recipe with this list drops them",
        percent_of(found.corpus.line_characters)));
  }
}

void add_notes(const Finding& found, TuneAdvice& advice) {
  constexpr double kMany = 0.3;
  if (found.kind(PairKind::kFacts) >= kMany) {
    advice.notes.push_back(
        fmt::format("{} of the near-duplicates differ in numbers only. If numbers must agree, use a recipe with \"agree\": \"numbers_v1\"",
                    percent_of(found.kind(PairKind::kFacts))));
  }
  if (found.pairs.block_characters >= 0.7 && found.kind(PairKind::kBlocks) >= kMany) {
    advice.notes.push_back(
        "many near-duplicates contain each other. To remove also a text that is a small part of another one, use --measure containment");
  }
}

}  // namespace

PairDensities densities_of(const SamplePairs& pairs) {
  PairDensities densities{};
  for (size_t band = 0; band < densities.size(); ++band) densities[band] = pairs.band(band).pairs;
  return densities;
}

const RecipeRule& choose_recipe(const Finding& finding) {
  for (const RecipeRule& rule : kRules) {
    if (rule.applies(finding)) return rule;
  }
  return *std::prev(std::end(kRules));
}

TuneAdvice make_advice(const Finding& finding, const RecipeRule& rule, const std::string& clean, const PairDensities& densities) {
  TuneAdvice advice;
  advice.recipe = rule.recipe;
  advice.reasons.push_back({"recipe", rule.reason(finding)});
  const std::optional<size_t> valley = rule.lowest < rule.highest
                                           ? find_valley(densities, SamplePairs::band_of(rule.lowest), SamplePairs::band_of(rule.highest))
                                           : std::nullopt;
  const double threshold = valley ? SamplePairs::from(*valley) : rule.usual;
  advice.threshold = Threshold::from_millionths(static_cast<uint32_t>(std::lround(threshold * 100)) * 10'000);
  advice.reasons.push_back({"threshold", threshold_reason(rule, densities, valley, threshold)});
  advise_length(finding, advice);
  advise_cleaning(finding, clean, advice);
  add_notes(finding, advice);
  return advice;
}

}  // namespace neardup
