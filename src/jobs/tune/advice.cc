#include "jobs/tune/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "jobs/tune/corpus_statistics.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

constexpr uint64_t kFewPairs = 20;  // examined; what so few have in common may be chance

std::string percent_of(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

bool enough_pairs(const Finding& found) {
  return found.pairs.examined >= kFewPairs;
}

// Disguised copies must be this many, of the pairs that are near without renaming and of those that are near only with it: else most of
// what code-5-renamed adds is code of the same shape that does something else.
constexpr double kManyRenamed = 0.25;

// Every scan or transcript has errors of its own, so copies of copies differ more and more.
constexpr bool kChains = true;

const RecipeRule kRules[] = {
    {"renamed code",
     [](const Finding& found) {
       const TunePairs::RenamedCopies& renamed = found.pairs.renamed;
       return found.corpus.code >= 0.5 && renamed.copies >= kFewPairs && renamed.same_literals >= kManyRenamed &&
              renamed.pairs >= kManyRenamed * renamed.near_pairs;
     },
     "code-5-renamed", 0.6, 0.6, 0.6,
     [](const Finding& found) {
       return fmt::format(
           "{} pairs of source files are near only if all names count as one, and {} of those compared have the same numbers and strings: "
           "copies with other names, which code-5 does not find. Code of the same shape that does something else has other numbers and "
           "strings",
           grouped(static_cast<uint64_t>(std::llround(found.pairs.renamed.only_renamed))), percent_of(found.pairs.renamed.same_literals));
     },
     "without names, code has few different 5-grams, and below it any two programs of one kind share many"},
    {"code", [](const Finding& found) { return found.corpus.code >= 0.5; }, "code-5", 0.5, 0.5, 0.7,
     [](const Finding& found) {
       return fmt::format("{} of the documents look like source code: code-5 compares its tokens and ignores comments and layout",
                          percent_of(found.corpus.code));
     },
     "versions of a program share few 5-grams of tokens, so thresholds for code are low"},
    {"few pairs", [](const Finding& found) { return !enough_pairs(found); }, "words-5", 0.8, 0.8, 0.8,
     [](const Finding& found) {
       return fmt::format("{} near-duplicates were found in the sample, too few to tell more: the default", found.pairs.examined);
     },
     "the default"},
    {"facts", [](const Finding& found) { return found.kind(PairKind::kFacts) + found.kind(PairKind::kDigits) >= 0.4; }, "words-5", 0.8, 0.9,
     0.9,
     [](const Finding& found) {
       return fmt::format("in {} of the near-duplicates, numbers or names are others: texts of one form, which words-5 tells apart best",
                          percent_of(found.kind(PairKind::kFacts) + found.kind(PairKind::kDigits)));
     },
     "below it, texts of one form with other dates and names would count as duplicates"},
    {"letters of ideographs", [](const Finding& found) { return found.kind(PairKind::kLetters) >= 0.3 && found.mostly_han(); }, "words-5",
     0.5, 0.6, 0.7,
     [](const Finding& found) {
       return fmt::format(
           "in {} of the near-duplicates, single characters are others: words-5 compares character by character here, and "
           "ignores punctuation",
           percent_of(found.kind(PairKind::kLetters)));
     },
     "one other character changes five 5-grams, many in short texts", kChains},
    {"letters", [](const Finding& found) { return found.kind(PairKind::kLetters) >= 0.3; }, "chars-5", 0.7, 0.8, 0.85,
     [](const Finding& found) {
       return fmt::format(
           "in {} of the near-duplicates, letters inside words change or words are broken (typing or recognition errors): one costs five "
           "5-grams of words, whole sentences, but few letters",
           percent_of(found.kind(PairKind::kLetters)));
     },
     "errors inside words cost little similarity under chars-5", kChains},
    {"passages", [](const Finding& found) { return found.kind(PairKind::kBlocks) >= 0.4; }, "words-5", 0.5, 0.7, 0.9,
     [](const Finding& found) {
       return fmt::format("in {} of the near-duplicates, whole passages are added or left out: words-5 loses few 5-grams by that",
                          percent_of(found.kind(PairKind::kBlocks)));
     },
     "a passage more or less lowers the similarity, although the rest is the same"},
    {"words", [](const Finding& found) { return found.kind(PairKind::kWords) + found.kind(PairKind::kBlocks) >= 0.4; }, "words-5", 0.6, 0.7,
     0.8,
     [](const Finding& found) {
       return fmt::format("in {} of the near-duplicates, words and passages change: words-5 counts a changed word once, however long it is",
                          percent_of(found.kind(PairKind::kWords) + found.kind(PairKind::kBlocks)));
     },
     "edited texts keep most of their 5-grams"},
    {"default", [](const Finding&) { return true; }, "words-5", 0.6, 0.8, 0.8,
     [](const Finding&) { return std::string("no kind of change dominates, or only punctuation, which words-5 ignores"); }, "the default"},
};

std::string valley_reason(const PairDensities& densities, size_t valley) {
  const uint64_t pairs = densities[valley];
  const auto below = densities.begin() + static_cast<std::ptrdiff_t>(valley);
  const bool more_below = std::any_of(densities.begin(), below, [&](uint64_t of_band) { return of_band > pairs; });
  const double from = SamplePairs::from(valley);
  const std::string valley_pairs = fmt::format("{} at {:.2f} to {:.2f}", counted(pairs, "pair"), from, from + SamplePairs::kWidth);
  return more_below ? fmt::format("near-duplicates and texts that are merely alike part here: {}, and more on both sides", valley_pairs)
                    : fmt::format("the near-duplicates are above: {}, more at higher similarities, no more at lower ones", valley_pairs);
}

std::string threshold_reason(const RecipeRule& rule, const PairProfile& profile, const std::optional<ChosenBand>& chosen) {
  if (rule.lowest == rule.highest) return std::string(rule.threshold_reason);
  if (!chosen) return fmt::format("{}; the similarities of the pairs show no better place", rule.threshold_reason);
  if (chosen->sign == ChosenBand::kValley) return valley_reason(profile.pairs, chosen->band);
  const PairCohesion& cohesion = profile.cohesion;
  const auto worst = std::min_element(cohesion.begin() + static_cast<std::ptrdiff_t>(SamplePairs::band_of(rule.lowest)),
                                      cohesion.begin() + static_cast<std::ptrdiff_t>(SamplePairs::band_of(rule.highest)) + 1);
  const std::string best_share = percent_of(cohesion[chosen->band]);
  const std::string worst_share = percent_of(*worst);
  const std::string elsewhere =
      best_share == worst_share
          ? ""
          : fmt::format(", at {:.2f} {}", SamplePairs::from(static_cast<size_t>(worst - cohesion.begin())), worst_share);
  return fmt::format(
      "groups hold together best here: {} of the pairs inside a group are near each other{}; the others are only the ends of chains",
      best_share, elsewhere);
}

// The bands of a threshold and above must not be texts of one form: the threshold rises above the highest such band.
constexpr double kMostlyFacts = 0.5;
constexpr uint64_t kFewExamined = 10;
constexpr double kHighest = 0.95;

double above_facts(const TunePairs& pairs, double threshold) {
  for (const TunePairs::Band& band : pairs.bands) {  // descending
    if (band.from < threshold - 1e-9) break;
    if (band.from > kHighest - 1e-9 || band.examined < kFewExamined) continue;
    if (band.kinds[static_cast<size_t>(PairKind::kFacts)] >= kMostlyFacts) return std::min(kHighest, band.to);
  }
  return threshold;
}

std::string facts_reason(const TunePairs& pairs, double threshold) {
  for (const TunePairs::Band& band : pairs.bands) {
    if (std::abs(band.to - threshold) > 1e-9) continue;
    return fmt::format("at {:.2f} to {:.2f}, {} of the pairs differ only in a few numbers or names: texts about different things",
                       band.from, band.to, percent_of(band.kinds[static_cast<size_t>(PairKind::kFacts)]));
  }
  return {};
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
        fmt::format("{} of the near-duplicates differ only in a few numbers or names. If different numbers always mean different things, "
                    "use a recipe with "
                    "\"agree\": \"numbers_v1\"",
                    percent_of(found.kind(PairKind::kFacts))));
  }
  if (advice.recipe == "code-5-renamed" && !found.pairs.whole_corpus) {
    advice.notes.emplace_back(
        "copies with other names have few characters in common, so a sample has few of them with their originals: more removals are to be "
        "expected than said here. A larger --sample tells more");
  }
  if (found.pairs.block_characters >= 0.7 && found.kind(PairKind::kBlocks) >= kMany) {
    advice.notes.emplace_back(
        "many near-duplicates contain each other. To remove also a text that is a small part of another one, use --measure containment");
  }
}

}  // namespace

PairProfile profile_of(const SamplePairs& pairs) {
  PairProfile profile;
  for (size_t band = 0; band < SamplePairs::kBands; ++band) {
    profile.pairs[band] = pairs.band(band).pairs;
    profile.cohesion[band] = pairs.cohesion(band);
  }
  return profile;
}

const RecipeRule& choose_recipe(const Finding& finding) {
  for (const RecipeRule& rule : kRules) {
    if (rule.applies(finding)) return rule;
  }
  return *std::prev(std::end(kRules));
}

TuneAdvice make_advice(const Finding& finding, const RecipeRule& rule, const std::string& clean, const PairProfile& profile) {
  TuneAdvice advice;
  advice.recipe = rule.recipe;
  advice.reasons.push_back({"recipe", rule.reason(finding)});
  for (size_t band = SamplePairs::kBands; band-- > 0;)
    advice.densities.push_back({SamplePairs::from(band), profile.pairs[band], profile.cohesion[band]});
  std::optional<ChosenBand> found;
  if (rule.lowest < rule.highest) {
    PairCohesion cohesion = profile.cohesion;
    if (rule.chains) cohesion.fill(1);
    found = choose_band(profile.pairs, cohesion, SamplePairs::band_of(rule.lowest), SamplePairs::band_of(rule.highest));
  }
  const double chosen = found ? SamplePairs::from(found->band) : rule.usual;
  const double threshold = above_facts(finding.pairs, chosen);
  advice.threshold = Threshold::from_millionths(static_cast<uint32_t>(std::lround(threshold * 100)) * 10'000);
  advice.reasons.push_back(
      {"threshold", threshold > chosen ? facts_reason(finding.pairs, threshold) : threshold_reason(rule, profile, found)});
  advise_length(finding, advice);
  advise_cleaning(finding, clean, advice);
  add_notes(finding, advice);
  return advice;
}

}  // namespace neardup
