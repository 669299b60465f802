#include "dedup/verdicts.h"

#include <algorithm>
#include <string>

#include "dedup/match/candidates/exact_copies.h"

namespace neardup {
namespace {

DocumentId entry_of(const IndexMatch& match) noexcept {
  return {.source = match.index, .row = match.entry};
}

std::vector<DocumentId> entries_of(std::span<const IndexMatch> matches) {
  std::vector<DocumentId> entries;
  entries.reserve(matches.size());
  for (const IndexMatch& match : matches) entries.push_back(entry_of(match));
  return entries;
}

NamedDocument named(const DocumentId& place, std::string_view id, const DocumentSource& source) {
  return {.id = std::string(id), .source = std::string(source.source_name(place.source)), .row = place.row};
}

}  // namespace

void add_index_matches(std::span<const IndexMatch> index_matches, uint32_t bits, std::vector<Removal>& removals) {
  if (index_matches.empty()) return;
  for (size_t i = 0; i < index_matches.size(); ++i) {
    const uint32_t equal = bits - index_matches[i].distance;
    // It names itself, so it makes no document a keeper.
    removals.push_back({.document = index_matches[i].document,
                        .keeper = index_matches[i].document,
                        .overlap = {.common = equal, .size_a = bits, .size_b = equal},
                        .index_match = static_cast<uint32_t>(i + 1)});
  }
  // A protected document may match another document, too; entries are ranked first.
  std::ranges::sort(removals, {}, [](const Removal& removal) { return std::pair(removal.document, removal.index_match == 0); });
  const auto rest = std::ranges::unique(removals, {}, &Removal::document);
  removals.erase(rest.begin(), rest.end());
}

Verdicts::Verdicts(const DocumentTable& table, std::span<const uint32_t> copy_of, std::vector<Removal> removals,
                   const RemovalMeasure& measure, std::span<const IndexMatch> index_matches)
    : table_(table),
      copy_of_(copy_of),
      removals_(std::move(removals)),
      removed_(table.size(), false),
      measure_(measure),
      index_matches_(index_matches),
      clusters_(table.size(), entries_of(index_matches)) {
  for (const Removal& removal : removals_) removed_[removal.document] = true;
  for (uint32_t d = 0; d < table.size(); ++d) {
    if (table.reference(d)) continue;
    const Keeper keeper = keeper_of(d);
    if (keeper.document == kNoDocument) continue;
    if (keeper.removal != nullptr && keeper.removal->index_match != 0) {
      clusters_.add_to_entry(keeper.removal->index_match - 1);
    } else {
      clusters_.add(keeper.document);
    }
  }
  clusters_.finish();
}

const Removal* Verdicts::removal_of(uint32_t document) const {
  if (!removed_[document]) return nullptr;
  return &*std::ranges::lower_bound(removals_, document, {}, &Removal::document);
}

Verdicts::Keeper Verdicts::keeper_of(uint32_t document) const {
  return table_.is_protected(document) ? Keeper{} : match_of(document);
}

bool Verdicts::is_spared(uint32_t document) const {
  return table_.is_protected(document) && match_of(document).document != kNoDocument;
}

Verdicts::Keeper Verdicts::match_of(uint32_t document) const {
  // A copy shares the fate of its representative: whatever matches the one matches the other.
  const uint32_t representative = copies_reference(table_, copy_of_, document) ? document : copy_of_[document];
  // Differs from the document for copies of a reference document: that is the keeper, unless a reference document ranked before it matches,
  // too.
  const uint32_t original = copy_of_[representative];
  const Removal* const removal = removal_of(representative);
  const bool by_original = removal != nullptr && removal->index_match == 0 && removal->keeper == original;
  if (removal != nullptr && !by_original) return {removal->keeper, removal};
  if (original != document) return {original, nullptr};
  return {};
}

Reason Verdicts::reason_of(const Keeper& keeper) const {
  if (keeper.removal == nullptr) return Reason::kExactCopy;
  if (keeper.removal->connected) return Reason::kConnected;
  if (measure_.containment) return Reason::kContained;
  return measure_.estimate.bands != 0 ? Reason::kUnverified : Reason::kNearDuplicate;
}

Verdict Verdicts::of(uint32_t document) const {
  const Keeper keeper = keeper_of(document);
  if (keeper.document == kNoDocument) {
    const uint64_t members = clusters_.of_document(document);
    const Reason reason = is_spared(document)          ? Reason::kProtected
                          : members > 1                ? Reason::kKeeper
                          : table_.too_short(document) ? Reason::kShort
                                                       : Reason::kUnique;
    return {.decision = Decision::kKeep,
            .reason = reason,
            .keeper = {},
            .keeper_id = {},
            .cluster = table_.place(document),
            .cluster_size = members};
  }
  Verdict verdict{.decision = Decision::kRemove,
                  .reason = reason_of(keeper),
                  .keeper = table_.place(keeper.document),
                  .keeper_id = table_.id(keeper.document),
                  .keeper_has_id = table_.has_id(keeper.document),
                  .similarity = keeper.removal == nullptr ? 1 : measure_.similarity(keeper.removal->overlap),
                  .cluster = {},
                  .cluster_size = clusters_.of_document(keeper.document)};
  if (keeper.removal != nullptr && keeper.removal->index_match != 0) {
    const size_t number = keeper.removal->index_match - 1;
    const IndexMatch& match = index_matches_[number];
    verdict.keeper = entry_of(match);
    verdict.keeper_id = match.name;
    verdict.keeper_has_id = match.named;
    verdict.cluster_size = clusters_.of_entry(number);
  }
  verdict.cluster = verdict.keeper;
  return verdict;
}

void Verdicts::count(const DocumentSource& source, Summary& summary) const {
  RemovalTally tally(measure_);
  for (uint32_t d = 0; d < table_.size(); ++d) {
    if (table_.reference(d)) continue;
    const Keeper keeper = keeper_of(d);
    if (keeper.document == kNoDocument) {
      ++summary.kept;
      summary.spared += is_spared(d);
      continue;
    }
    ++summary.removed;
    summary.reference_matches += keeper.removal != nullptr && keeper.removal->index_match != 0;
    if (keeper.removal != nullptr) {
      tally.count(keeper.removal->overlap);
      if (keeper.removal->document == d) tally.consider(d, keeper.removal->overlap);  // not its copies
    }
    switch (reason_of(keeper)) {
      case Reason::kExactCopy:
        ++summary.exact_copies;
        break;
      case Reason::kConnected:
        ++summary.connected;
        break;
      case Reason::kContained:
        ++summary.contained;
        break;
      default:
        ++summary.near_duplicates;
        break;
    }
  }
  summary.has_verdicts = true;
  summary.estimated = measure_.estimate.bands != 0;
  (measure_.bits != 0 ? summary.distance_bands : summary.similarity_bands) = tally.bands();
  for (const RemovalTally::Removed& removed : tally.least()) {
    const Verdict verdict = of(removed.document);
    summary.least_similar.push_back({.removed = named(table_.place(removed.document), table_.id(removed.document), source),
                                     .keeper = named(verdict.keeper, verdict.keeper_id, source),
                                     .similarity = verdict.similarity,
                                     .distance = measure_.bits != 0 ? measure_.distance(removed.overlap) : 0});
  }
  count_clusters(source, summary);
}

void Verdicts::count_clusters(const DocumentSource& source, Summary& summary) const {
  const ClusterSizes::Totals totals = clusters_.totals();
  summary.clusters = totals.clusters;
  summary.largest_cluster = totals.largest;
  if (totals.clusters == 0) return;
  if (totals.is_entry) {
    const IndexMatch& match = index_matches_[totals.keeper];
    summary.largest_cluster_keeper = named(entry_of(match), match.name, source);
  } else {
    const auto keeper = static_cast<uint32_t>(totals.keeper);
    summary.largest_cluster_keeper = named(table_.place(keeper), table_.id(keeper), source);
  }
}

}  // namespace neardup
