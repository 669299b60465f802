#include "dedup/verdicts.h"

#include <algorithm>
#include <cmath>

#include "dedup/match/exact_copies.h"

namespace neardup {

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
  std::ranges::sort(removals, {}, &Removal::document);
}

Verdicts::Verdicts(const DocumentTable& table, std::span<const uint32_t> copy_of, std::vector<Removal> removals, LshPlan unverified,
                   std::span<const IndexMatch> index_matches)
    : table_(table),
      copy_of_(copy_of),
      removals_(std::move(removals)),
      removed_(table.size(), false),
      keeper_(table.size(), false),
      unverified_(unverified),
      index_matches_(index_matches) {
  for (const Removal& removal : removals_) removed_[removal.document] = true;
  for (uint32_t d = 0; d < table.size(); ++d) {
    if (table.reference(d)) continue;
    if (const Keeper keeper = keeper_of(d); keeper.document != kNoDocument) keeper_[keeper.document] = true;
  }
}

const Removal* Verdicts::removal_of(uint32_t document) const {
  if (!removed_[document]) return nullptr;
  return &*std::ranges::lower_bound(removals_, document, {}, &Removal::document);
}

Verdicts::Keeper Verdicts::keeper_of(uint32_t document) const {
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
  return unverified_.bands != 0 ? Reason::kUnverified : Reason::kNearDuplicate;
}

Verdict Verdicts::of(uint32_t document) const {
  const Keeper keeper = keeper_of(document);
  if (keeper.document == kNoDocument) {
    const Reason reason = keeper_[document] ? Reason::kKeeper : table_.too_short(document) ? Reason::kShort : Reason::kUnique;
    return {.decision = Decision::kKeep, .reason = reason, .keeper = {}, .keeper_id = {}};
  }
  Verdict verdict{.decision = Decision::kRemove,
                  .reason = reason_of(keeper),
                  .keeper = table_.place(keeper.document),
                  .keeper_id = table_.id(keeper.document),
                  .keeper_has_id = table_.has_id(keeper.document),
                  .similarity = 1};
  if (keeper.removal != nullptr) {
    // Unverified: a band of r rows agrees with probability s^r, so the share of agreeing bands estimates s^r.
    verdict.similarity = unverified_.bands == 0
                             ? keeper.removal->overlap.jaccard()
                             : std::pow(static_cast<double>(keeper.removal->overlap.common) / unverified_.bands, 1.0 / unverified_.rows);
  }
  if (keeper.removal != nullptr && keeper.removal->index_match != 0) {
    const IndexMatch& match = index_matches_[keeper.removal->index_match - 1];
    verdict.keeper = {.source = match.index, .row = match.entry};
    verdict.keeper_id = match.name;
    verdict.keeper_has_id = match.named;
  }
  return verdict;
}

void Verdicts::count(Summary& summary) const {
  for (uint32_t d = 0; d < table_.size(); ++d) {
    if (table_.reference(d)) continue;
    const Keeper keeper = keeper_of(d);
    if (keeper.document == kNoDocument) {
      ++summary.kept;
      continue;
    }
    ++summary.removed;
    summary.reference_matches += keeper.removal != nullptr && keeper.removal->index_match != 0;
    switch (reason_of(keeper)) {
      case Reason::kExactCopy:
        ++summary.exact_copies;
        break;
      case Reason::kConnected:
        ++summary.connected;
        break;
      default:
        ++summary.near_duplicates;
        break;
    }
  }
}

}  // namespace neardup
