#include "dedup/match_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup/match/candidates/exact_copies.h"
#include "dedup/match/matcher.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

constexpr std::string_view kOncePreset = "simhash-words-3";  // counts every shingle once

// A document or an entry of an index, and how many texts are removed for it.
struct Keeper {
  std::pair<uint32_t, uint64_t> key;  // 0 and the document, or the index from 1 and the id of the entry
  const Removal* example;
  uint64_t removals;
};

std::pair<uint32_t, uint64_t> key_of(const Removal& removal, std::span<const IndexMatch> index_matches) {
  if (removal.index_match == 0) return {0, removal.keeper};
  const IndexMatch& match = index_matches[removal.index_match - 1];
  return {match.index + 1, match.entry};
}

// A copy of a reference document is removed rightly, whatever its keeper is.
bool counts(const UnverifiedRun& run, const Removal& removal) {
  return !removal.connected && !run.table.is_protected(removal.document) && !copies_reference(run.table, run.copy_of, removal.document);
}

// Misra and Gries: kSuspiciousShare counters include every keeper of at least one in kSuspiciousShare removals. Their counts may be too
// low.
std::vector<Keeper> frequent_keepers(const UnverifiedRun& run, std::span<const Removal> removals,
                                     std::span<const IndexMatch> index_matches) {
  std::vector<Keeper> counters;
  for (const Removal& removal : removals) {
    if (!counts(run, removal)) continue;
    const auto key = key_of(removal, index_matches);
    const auto known = std::ranges::find(counters, key, &Keeper::key);
    if (known != counters.end()) {
      ++known->removals;
    } else if (counters.size() < kSuspiciousShare) {
      counters.push_back({key, &removal, 1});
    } else {
      for (Keeper& each : counters) --each.removals;
      std::erase_if(counters, [](const Keeper& each) { return each.removals == 0; });
    }
  }
  return counters;
}

std::string name_of(const UnverifiedRun& run, const Removal& removal, std::span<const IndexMatch> index_matches) {
  DocumentId place;
  std::string_view id;
  if (removal.index_match != 0) {
    const IndexMatch& match = index_matches[removal.index_match - 1];
    place = {.source = match.index, .row = match.entry};
    if (match.named) id = match.name;
  } else {
    place = run.table.place(removal.keeper);
    if (run.table.has_id(removal.keeper)) id = run.table.id(removal.keeper);
  }
  return fmt::format("{}:{}{}", run.source.source_name(place.source), place.row, id.empty() ? "" : fmt::format(" (id '{}')", id));
}

std::string advice(const UnverifiedRun& run, bool of_an_index) {
  if (!run.by_distance) return "without --verify false only texts whose features are alike are removed";
  std::string text = "texts that repeat the same parts, such as tables, can have one fingerprint. Look at some with 'neardup compare'";
  if (!of_an_index) text += "; --verify jaccard removes only texts whose features are alike";
  if (run.recipe.weighted() || run.recipe.sketch == SketchKind::kPythonSimHash)
    text += fmt::format("; --recipe {} counts repeated parts once", kOncePreset);
  return text;
}

}  // namespace

void warn_of_one_keeper(const UnverifiedRun& run, std::span<const Removal> removals, std::span<const IndexMatch> index_matches,
                        Summary& summary) {
  std::vector<Keeper> keepers = frequent_keepers(run, removals, index_matches);
  for (Keeper& each : keepers) each.removals = 0;
  uint64_t total = 0;
  for (const Removal& removal : removals) {
    if (!counts(run, removal)) continue;
    ++total;
    const auto known = std::ranges::find(keepers, key_of(removal, index_matches), &Keeper::key);
    if (known != keepers.end()) ++known->removals;
  }
  const auto largest = std::ranges::max_element(
      keepers, [](const Keeper& a, const Keeper& b) { return a.removals != b.removals ? a.removals < b.removals : a.key > b.key; });
  if (largest == keepers.end() || largest->removals < kSuspiciousRemovals || largest->removals * kSuspiciousShare < total) return;
  summary.warnings.push_back(fmt::format("{} is the keeper of {} of the {} different texts removed as near-duplicates, unverified: {}",
                                         name_of(run, *largest->example, index_matches), grouped(largest->removals), grouped(total),
                                         advice(run, largest->example->index_match != 0)));
}

void warn_of_just_below(uint64_t documents, const Options& options, Summary& summary) {
  if (documents < kManyJustBelow || documents < summary.near_duplicates + summary.contained) return;
  const double threshold = options.threshold.value();
  const double below = threshold - kJustBelow / 1e6;
  if (options.measure == Measure::kContainment) {
    summary.warnings.push_back(fmt::format(
        "{} kept documents have a share of {:g} to {:g} of their features in another kept one, and {} were removed as contained: the "
        "threshold lies among them, as it can with texts of one template. 'neardup pairs --measure containment --threshold {:g}' lists "
        "them; consider a lower threshold, or --min-jaccard against templates",
        grouped(documents), below, threshold, grouped(summary.contained), below));
    return;
  }
  summary.warnings.push_back(
      fmt::format("{} kept documents have a similarity of {:g} to {:g} with another one, and {} were removed as near-duplicates: the "
                  "threshold lies among them, as it can with OCR or short texts. 'neardup pairs --threshold {:g}' lists them; consider "
                  "a lower threshold, or shingles of characters",
                  grouped(documents), below, threshold, grouped(summary.near_duplicates), below));
}

void warn_of_idle_protection(const Options& options, Summary& summary) {
  if (options.protect.empty() || summary.protected_documents > 0 || summary.kept + summary.removed == 0) return;
  std::string rules;
  for (const FieldValue& rule : options.protect) rules += fmt::format("{}{}={}", rules.empty() ? "" : ",", rule.field, rule.value);
  summary.warnings.push_back(fmt::format("no document is protected: none has {} (--protect)", printable(rules)));
}

}  // namespace neardup
