#include "dedup/match/candidates/exact_copies.h"

#include <algorithm>
#include <utility>

#include "base/equal_keys.h"
#include "dedup/match/candidates/union_find.h"

namespace neardup {

bool copies_reference(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept {
  return table.reference(copy_of[document]) && !table.reference(document);
}

bool takes_part(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept {
  return !table.too_short(document) && (copy_of[document] == document || copies_reference(table, copy_of, document));
}

std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes, std::vector<uint32_t> known) {
  UnionFind sets(table.size());
  // SliceCandidates by the upper half of the hash. Different texts almost never share it (2^-64 per pair); such a text would stay out of
  // the group, and verification would still find its near-duplicates.
  const auto read = [&](uint32_t, size_t batch, const auto& emit) {
    const uint32_t end = table.first_document(batch) + table.documents(batch);
    for (uint32_t d = table.first_document(batch); d < end; ++d) {
      const bool known_copy = d < known.size() && known[d] != d;
      if (!known_copy) emit(table.exact(d).high, d);
    }
  };
  // Known copies need no lookup: a copy of one also copies its representative.
  KeySpace space;
  uint64_t keys = table.size();
  for (uint32_t d = 0; d < known.size(); ++d) keys -= static_cast<uint64_t>(known[d] != d);
  for_each_equal_key(threads, memory_bytes, {.parts = table.batch_count(), .keys = keys}, space, read, [&](uint32_t first, uint32_t later) {
    if (table.exact(first) == table.exact(later)) sets.unite(first, later);
  });

  // First the root's entry becomes the best of its set, then all members take it over.
  const auto first = static_cast<uint32_t>(known.size());
  std::vector<uint32_t> copy_of = std::move(known);
  copy_of.resize(table.size());
  for (uint32_t d = first; d < table.size(); ++d) copy_of[d] = d;
  for (uint32_t d = first; d < table.size(); ++d) {
    uint32_t& best = copy_of[sets.root(d)];
    if (table.ranked_before(d, best)) best = d;
  }
  for (uint32_t d = first; d < table.size(); ++d) copy_of[d] = copy_of[sets.root(d)];

  // Copies of reference documents: the first of each refers to the reference document, the others to that first one.
  uint32_t references = 0;
  while (references < table.size() && table.reference(references)) ++references;
  std::vector<uint32_t> first_copy(references, kNoDocument);  // of each reference document, among the other documents
  for (uint32_t d = std::max(first, references); d < table.size(); ++d) {
    if (copy_of[d] >= references) continue;
    uint32_t& best = first_copy[copy_of[d]];
    if (best == kNoDocument || table.ranked_before(d, best)) best = d;
  }
  for (uint32_t d = std::max(first, references); d < table.size(); ++d) {
    if (copy_of[d] < references && first_copy[copy_of[d]] != d) copy_of[d] = first_copy[copy_of[d]];
  }
  return copy_of;
}

}  // namespace neardup
