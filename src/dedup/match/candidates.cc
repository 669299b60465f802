#include "dedup/match/candidates.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/parallel.h"
#include "dedup/match/candidate_links.h"
#include "dedup/match/pair_rule.h"
#include "index/hamming/key_groups.h"

namespace neardup {
namespace {

void sort_by_rank(const DocumentTable& table, CandidateGroups& candidates) {
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    std::sort(candidates.members.begin() + candidates.group_begin[g], candidates.members.begin() + candidates.group_begin[g + 1],
              [&](uint32_t a, uint32_t b) { return table.ranked_before(candidates.documents[a], candidates.documents[b]); });
  }
}

// The members of all sets of two and more that have one from `first_open` on, as groups in the order of their least member.
void collect_groups(UnionFind& sets, uint32_t first_open, CandidateGroups& candidates) {
  std::vector<bool> has_others(sets.size(), false);
  for (uint32_t d = first_open; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    if (root != d) has_others[root] = true;
  }
  // The root is the least member, so a set's group is numbered when its root comes by, before its other members.
  std::vector<uint32_t> group_of(sets.size());  // of those that are roots and have others
  std::vector<uint32_t> group_of_candidate;
  std::vector<uint32_t> sizes;
  for (uint32_t d = 0; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    if (root == d) {
      if (!has_others[d]) continue;
      group_of[d] = static_cast<uint32_t>(sizes.size());
      sizes.push_back(0);
    } else if (!has_others[root]) {
      continue;
    }
    candidates.documents.push_back(d);
    group_of_candidate.push_back(group_of[root]);
    ++sizes[group_of[root]];
  }
  candidates.group_begin.assign(sizes.size() + 1, 0);
  for (size_t g = 0; g < sizes.size(); ++g) candidates.group_begin[g + 1] = candidates.group_begin[g] + sizes[g];
  std::vector<uint32_t> next(candidates.group_begin.begin(), candidates.group_begin.end() - 1);
  candidates.members.resize(candidates.documents.size());
  for (uint32_t ordinal = 0; ordinal < candidates.documents.size(); ++ordinal)
    candidates.members[next[group_of_candidate[ordinal]]++] = ordinal;
}

CandidateRows take_key_rows(BandKeys& keys, std::span<const uint32_t> documents, const LinkRun& run, bool last) {
  const size_t row_bytes = BandKeys::row_bytes(keys.plan());
  CandidateRows rows(row_bytes, documents.size(), run.key_row_bytes, run.temp_dir);
  std::vector<uint8_t> row(row_bytes);
  std::vector<uint8_t> space;
  size_t next = 0;
  for (size_t block = 0; block < keys.block_count(); ++block) {
    const uint32_t first = keys.first_document(block);
    const uint32_t end = first + keys.documents(block);
    if (next < documents.size() && documents[next] < end) {
      const auto whole = keys.whole(block, space);
      for (; next < documents.size() && documents[next] < end; ++next) {
        keys.copy_row(block, whole, documents[next] - first, row.data());
        rows.append(row.data());
      }
    }
    if (last) keys.forget(block);
  }
  rows.finish();
  return rows;
}

CandidateRows take_filter_rows(LshSketches& sketches, std::span<const uint32_t> documents, const LinkRun& run, bool last) {
  CandidateRows rows(sketches.filter.row_bytes(), documents.size(), run.filter_row_bytes, run.temp_dir);
  const auto append = [&](const uint8_t* row) { rows.append(row); };
  last ? sketches.filter_rows.take(documents, append) : sketches.filter_rows.read(documents, append);
  rows.finish();
  return rows;
}

// The groups of two in which a document meets nobody but the reference document that it copies: its keeper is known.
// `document_of` gives the document of an entry of `candidates.documents`.
template <typename DocumentOf>
void drop_lone_copies(const DocumentTable& table, std::span<const uint32_t> copy_of, const DocumentOf& document_of,
                      CandidateGroups& candidates) {
  if (table.size() == 0 || !table.reference(0)) return;
  CandidateGroups left;
  std::vector<bool> dropped(candidates.documents.size(), false);
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    const auto group = candidates.group(g);
    if (group.size() != 2) continue;
    const uint32_t later = document_of(candidates.documents[std::max(group[0], group[1])]);
    if (!copies_reference(table, copy_of, later)) continue;
    if (copy_of[later] != document_of(candidates.documents[std::min(group[0], group[1])])) continue;
    dropped[group[0]] = dropped[group[1]] = true;
  }
  std::vector<uint32_t> ordinal_of(candidates.documents.size());
  for (uint32_t ordinal = 0; ordinal < candidates.documents.size(); ++ordinal) {
    if (dropped[ordinal]) continue;
    ordinal_of[ordinal] = static_cast<uint32_t>(left.documents.size());
    left.documents.push_back(candidates.documents[ordinal]);
  }
  left.group_begin.push_back(0);
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    const auto group = candidates.group(g);
    if (dropped[group[0]]) continue;
    for (const uint32_t member : group) left.members.push_back(ordinal_of[member]);
    left.group_begin.push_back(static_cast<uint32_t>(left.members.size()));
  }
  candidates = std::move(left);
}

// What the sketches say of the candidates, whose documents are rows so far.
void take_rows(Sketches& sketches, const LinkRun& run, Candidates& candidates) {
  const std::vector<uint32_t>& rows = candidates.documents;
  candidates.lacks = values_at(sketches.lacks, rows);
  if (sketches.codes) candidates.codes = values_at(sketches.codes->codes, rows);
  if (!sketches.lsh) return;
  const bool last = !sketches.needed_later;
  parallel_for(run.threads, 2, 1, [&](uint32_t, size_t which) {
    if (which == 0) {
      candidates.key_rows = take_key_rows(sketches.lsh->keys, rows, run, last);
    } else {
      candidates.filter_rows = take_filter_rows(*sketches.lsh, rows, run, last);
    }
  });
}

// A group that is left as it came, but for settled members that agree with none of the others, if these are few.
void unite_large_group(std::span<const uint32_t> group, uint32_t settled, const Candidates& all, const PairRule& rule, size_t few,
                       UnionFind& sets) {
  std::vector<uint32_t> open;
  for (const uint32_t member : group) {
    if (member >= settled) open.push_back(member);
  }
  for (const uint32_t member : group) {
    const bool of_use =
        member >= settled || open.size() > few || std::ranges::any_of(open, [&](uint32_t other) { return rule.agree(all, member, other); });
    if (of_use) sets.unite(open.front(), member);
  }
}

// The same candidates without the connections, and the documents, that the signature filter rules out. `settled` of them, the first, are
// not connected with each other. `drop` leaves out groups once they are known.
template <typename Drop>
Candidates prune(uint32_t settled, Candidates all, const PairRule& rule, const LinkRun& run, size_t prune_up_to, const Drop& drop) {
  UnionFind sets(static_cast<uint32_t>(all.documents.size()));
  parallel_for(run.threads, all.group_count(), 64, [&](uint32_t, size_t g) {
    const auto group = all.group(g);
    if (run.steps != nullptr) run.steps->ask();
    if (group.size() > prune_up_to) return unite_large_group(group, settled, all, rule, prune_up_to, sets);
    for (size_t i = 1; i < group.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (group[i] < settled && group[j] < settled) continue;
        if (sets.root(group[i]) != sets.root(group[j]) && rule.agree(all, group[i], group[j])) sets.unite(group[i], group[j]);
      }
    }
  });
  Candidates pruned;
  collect_groups(sets, settled, pruned);  // its documents are ordinals of `all` so far
  drop(pruned, [&](uint32_t ordinal) { return all.documents[ordinal]; });
  pruned.key_rows = std::move(all.key_rows);
  pruned.filter_rows = std::move(all.filter_rows);
  pruned.key_rows.keep(pruned.documents);
  pruned.filter_rows.keep(pruned.documents);
  pruned.codes = values_at(all.codes, pruned.documents);
  pruned.lacks = values_at(all.lacks, pruned.documents);
  for (uint32_t& document : pruned.documents) document = all.documents[document];
  return pruned;
}

}  // namespace

size_t CandidateGroups::largest_group() const noexcept {
  size_t largest = 0;
  for (size_t g = 0; g < group_count(); ++g) largest = std::max(largest, group(g).size());
  return largest;
}

bool copies_reference(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept {
  return table.reference(copy_of[document]) && !table.reference(document);
}

bool takes_part(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t document) noexcept {
  return !table.too_short(document) && (copy_of[document] == document || copies_reference(table, copy_of, document));
}

std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes, std::vector<uint32_t> known) {
  UnionFind sets(table.size());
  // Grouped by the upper half of the hash. That different texts share it is next to impossible (2^-64 a pair); were it to happen,
  // such a text stays out of the group, and verification still finds its near-duplicates.
  const auto read = [&](uint32_t, size_t batch, const auto& emit) {
    const uint32_t end = table.first_document(batch) + table.documents(batch);
    for (uint32_t d = table.first_document(batch); d < end; ++d) {
      const bool known_copy = d < known.size() && known[d] != d;
      if (!known_copy) emit(table.exact(d).high, d);
    }
  };
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

  uint32_t references = 0;
  while (references < table.size() && table.reference(references)) ++references;
  std::vector<uint32_t> first_copy(references, kNoDocument);  // of each reference document, among those that are none
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

Candidates find_sketch_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, Sketches& sketches, const LinkRun& run,
                                  size_t prune_up_to) {
  const auto taken = [&](uint32_t row, Candidates::Lack lack) {
    return takes_part(table, copy_of, sketches.document(row)) && (sketches.lacks.empty() || (sketches.lacks[row] & lack) == 0);
  };
  auto sets = std::make_unique<UnionFind>(sketches.row(table.size()));  // gone before the rows are loaded
  uint32_t settled_rows = 0;
  while (settled_rows < sets->size() && table.settled(sketches.document(settled_rows))) ++settled_rows;
  PairRule rule;
  if (sketches.lsh) {
    rule.lsh = sketches.lsh->keys.plan();
    rule.filter = sketches.lsh->filter;
    connect_by_bands(sketches.lsh->keys, run, *sets, [&](uint32_t row) { return taken(row, Candidates::kSignature); });
  }
  if (sketches.codes) {
    rule.bits = sketches.codes->bits;
    rule.max_distance = sketches.codes->max_distance;
    connect_by_distance(*sketches.codes, run, *sets, [&](uint32_t row) { return taken(row, Candidates::kCode); });
  }
  Candidates candidates;
  collect_groups(*sets, settled_rows, candidates);  // its documents are rows so far
  const auto drop = [&](CandidateGroups& groups, const auto& row_of) {
    drop_lone_copies(
        table, copy_of, [&](uint32_t entry) { return sketches.document(row_of(entry)); }, groups);
  };
  drop(candidates, [](uint32_t row) { return row; });
  sets.reset();
  take_rows(sketches, run, candidates);
  if (rule.filter.row_bytes() > 0) {
    const auto end = std::ranges::lower_bound(candidates.documents, settled_rows);
    const auto settled_candidates = static_cast<uint32_t>(end - candidates.documents.begin());
    candidates = prune(settled_candidates, std::move(candidates), rule, run, prune_up_to, drop);
  }
  for (uint32_t& row : candidates.documents) row = sketches.document(row);
  sort_by_rank(table, candidates);
  return candidates;
}

Candidates candidates_of_groups(CandidateGroups groups, Sketches& sketches, const LinkRun& run) {
  Candidates candidates{std::move(groups), {}, {}, {}, {}};
  std::vector<uint32_t> documents = candidates.documents;
  for (uint32_t& document : candidates.documents) document = sketches.row(document);
  take_rows(sketches, run, candidates);
  candidates.documents = std::move(documents);
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
