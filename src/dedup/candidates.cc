#include "dedup/candidates.h"

#include <algorithm>

#include "index/key_groups.h"

namespace neardup {
namespace {

bool takes_part(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) {
  return !table.rejected(document) && !table.too_short(document) && copy_of[document] == document;
}

void sort_by_rank(const DocumentTable& table, Candidates& candidates) {
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    std::sort(candidates.members.begin() + candidates.group_begin[g], candidates.members.begin() + candidates.group_begin[g + 1],
              [&](uint32_t a, uint32_t b) { return table.ranked_before(candidates.documents[a], candidates.documents[b]); });
  }
}

// The members of all sets of two and more, as groups in the order of their least member.
void collect_groups(UnionFind& sets, Candidates& candidates) {
  std::vector<bool> has_others(sets.size(), false);
  for (uint32_t d = 0; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    if (root != d) has_others[root] = true;
  }
  // The root is the least member, so a set's group is numbered when its root comes by, before its other members.
  constexpr uint32_t kNoGroup = kNoDocument;
  std::vector<uint32_t> group_of_candidate;
  std::vector<uint32_t> sizes;
  for (uint32_t d = 0; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    uint32_t group = kNoGroup;
    if (root == d) {
      if (!has_others[d]) continue;
      group = static_cast<uint32_t>(sizes.size());
      sizes.push_back(0);
    } else {
      const auto at = std::lower_bound(candidates.documents.begin(), candidates.documents.end(), root);
      group = group_of_candidate[static_cast<size_t>(at - candidates.documents.begin())];
    }
    candidates.documents.push_back(d);
    group_of_candidate.push_back(group);
    ++sizes[group];
  }
  candidates.group_begin.assign(sizes.size() + 1, 0);
  for (size_t g = 0; g < sizes.size(); ++g) candidates.group_begin[g + 1] = candidates.group_begin[g] + sizes[g];
  std::vector<uint32_t> next(candidates.group_begin.begin(), candidates.group_begin.end() - 1);
  candidates.members.resize(candidates.documents.size());
  for (uint32_t ordinal = 0; ordinal < candidates.documents.size(); ++ordinal) candidates.members[next[group_of_candidate[ordinal]]++] = ordinal;
}

void collect_key_rows(BandKeys& keys, Candidates& candidates) {
  const size_t row_bytes = BandKeys::row_bytes(keys.plan());
  candidates.key_rows.resize(candidates.documents.size() * row_bytes);
  std::vector<uint8_t> space;
  size_t ordinal = 0;
  for (size_t block = 0; block < keys.block_count(); ++block) {
    const uint32_t first = keys.first_document(block);
    const uint32_t end = first + keys.documents(block);
    if (ordinal < candidates.documents.size() && candidates.documents[ordinal] < end) {
      const auto whole = keys.whole(block, space);
      for (; ordinal < candidates.documents.size() && candidates.documents[ordinal] < end; ++ordinal) {
        keys.copy_row(block, whole, candidates.documents[ordinal] - first, candidates.key_rows.data() + ordinal * row_bytes);
      }
    }
    keys.forget(block);
  }
}

}  // namespace

std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes) {
  UnionFind sets(table.size());
  const KeyProducer hashes{
      .parts = table.batch_count(), .keys = table.size(), .key_bits = 64, .read = [&](uint32_t, size_t batch, const KeyProducer::Emit& emit) {
        const uint32_t end = table.first_document(batch) + table.documents(batch);
        for (uint32_t d = table.first_document(batch); d < end; ++d) {
          if (!table.rejected(d)) emit(table.exact(d).high, d);
        }
      }};
  // Grouped by the upper half of the hash. That different texts share it is next to impossible (2^-64 a pair); were it to happen,
  // such a text stays out of the group, and verification still finds its near-duplicates.
  for_each_equal_key(threads, memory_bytes, hashes, [&](uint32_t, uint32_t first, uint32_t later) {
    if (table.exact(first) == table.exact(later)) sets.unite(first, later);
  });

  // First the root's entry becomes the best of its set, then all members take it over.
  std::vector<uint32_t> copy_of(table.size());
  for (uint32_t d = 0; d < table.size(); ++d) copy_of[d] = d;
  for (uint32_t d = 0; d < table.size(); ++d) {
    uint32_t& best = copy_of[sets.root(d)];
    if (table.ranked_before(d, best)) best = d;
  }
  for (uint32_t d = 0; d < table.size(); ++d) copy_of[d] = copy_of[sets.root(d)];
  return copy_of;
}

Candidates find_lsh_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, BandKeys& keys, uint32_t threads, uint64_t memory_bytes) {
  UnionFind sets(table.size());
  std::vector<std::vector<uint8_t>> spaces(threads);
  for (uint32_t band = 0; band < keys.plan().bands; ++band) {
    const KeyProducer producer{.parts = keys.block_count(),
                               .keys = table.size(),
                               .key_bits = BandKeys::kKeyBytes * 8,
                               .read = [&](uint32_t worker, size_t block, const KeyProducer::Emit& emit) {
                                 const auto slice = keys.band(block, band, spaces[worker]);
                                 const uint32_t first = keys.first_document(block);
                                 for (uint32_t i = 0; i < keys.documents(block); ++i) {
                                   if (takes_part(table, copy_of, first + i)) emit(BandKeys::load(slice.data() + i * BandKeys::kKeyBytes), first + i);
                                 }
                               }};
    for_each_equal_key(threads, memory_bytes, producer, [&](uint32_t, uint32_t first, uint32_t later) { sets.unite(first, later); });
  }
  Candidates candidates;
  collect_groups(sets, candidates);
  collect_key_rows(keys, candidates);
  sort_by_rank(table, candidates);
  return candidates;
}

Candidates all_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of) {
  Candidates candidates;
  for (uint32_t d = 0; d < table.size(); ++d) {
    if (takes_part(table, copy_of, d)) candidates.documents.push_back(d);
  }
  const uint32_t count = static_cast<uint32_t>(candidates.documents.size());
  if (count < 2) return {};
  candidates.members.resize(count);
  for (uint32_t ordinal = 0; ordinal < count; ++ordinal) candidates.members[ordinal] = ordinal;
  candidates.group_begin = {0, count};
  sort_by_rank(table, candidates);
  return candidates;
}

}  // namespace neardup
