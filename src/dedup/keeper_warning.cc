#include "dedup/keeper_warning.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup/match/candidates.h"
#include "dedup/report/summary_parts.h"
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

std::pair<uint32_t, uint64_t> key_of(const Removal& removal, std::span<const Witness> witnesses) {
  if (removal.witness == 0) return {0, removal.keeper};
  const Witness& witness = witnesses[removal.witness - 1];
  return {witness.index + 1, witness.entry};
}

// A copy of a reference document is removed for good reason, whatever its keeper is.
bool counts(const UnverifiedRun& run, const Removal& removal) {
  return !removal.connected && !copies_reference(run.table, run.copy_of, removal.document);
}

// Misra and Gries: whatever has one in kSuspiciousShare of the removals, or more, is among so many counters at the end. Their counts are
// too low by then.
std::vector<Keeper> frequent_keepers(const UnverifiedRun& run, std::span<const Removal> removals, std::span<const Witness> witnesses) {
  std::vector<Keeper> counters;
  for (const Removal& removal : removals) {
    if (!counts(run, removal)) continue;
    const auto key = key_of(removal, witnesses);
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

std::string name_of(const UnverifiedRun& run, const Removal& removal, std::span<const Witness> witnesses) {
  DocumentId place;
  std::string_view id;
  if (removal.witness != 0) {
    const Witness& witness = witnesses[removal.witness - 1];
    place = {.source = witness.index, .row = witness.entry};
    if (witness.named) id = witness.name;
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

void warn_of_one_keeper(const UnverifiedRun& run, std::span<const Removal> removals, std::span<const Witness> witnesses, Summary& summary) {
  std::vector<Keeper> keepers = frequent_keepers(run, removals, witnesses);
  for (Keeper& each : keepers) each.removals = 0;
  uint64_t total = 0;
  for (const Removal& removal : removals) {
    if (!counts(run, removal)) continue;
    ++total;
    const auto known = std::ranges::find(keepers, key_of(removal, witnesses), &Keeper::key);
    if (known != keepers.end()) ++known->removals;
  }
  const auto most = std::ranges::max_element(
      keepers, [](const Keeper& a, const Keeper& b) { return a.removals != b.removals ? a.removals < b.removals : a.key > b.key; });
  if (most == keepers.end() || most->removals < kSuspiciousRemovals || most->removals * kSuspiciousShare < total) return;
  summary.warnings.push_back(fmt::format("{} is the keeper of {} of the {} different texts removed as near-duplicates, unverified: {}",
                                         name_of(run, *most->example, witnesses), grouped(most->removals), grouped(total),
                                         advice(run, most->example->witness != 0)));
}

}  // namespace neardup
