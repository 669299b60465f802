#include "dedup/match/candidates/candidates.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "dedup/match/candidates/candidate_links.h"
#include "dedup/match/candidates/exact_copies.h"
#include "dedup/match/candidates/pair_strategy.h"

namespace neardup {
namespace {

void sort_by_rank(const DocumentTable& table, CandidateGroups& candidates) {
  for (size_t g = 0; g < candidates.group_count(); ++g) {
    std::sort(candidates.members.begin() + candidates.group_begin[g], candidates.members.begin() + candidates.group_begin[g + 1],
              [&](uint32_t a, uint32_t b) { return table.ranked_before(candidates.documents[a], candidates.documents[b]); });
  }
}

// All sets of at least two members, one of them from `first_open` on, as groups in the order of their smallest member.
void collect_groups(UnionFind& sets, uint32_t first_open, CandidateGroups& candidates) {
  std::vector<bool> has_others(sets.size(), false);
  for (uint32_t d = first_open; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    if (root != d) has_others[root] = true;
  }
  // The root is the smallest member, so a group gets its number at its root, before its other members.
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
  // A counting sort by group, which keeps members in document order.
  candidates.group_begin.assign(sizes.size() + 1, 0);
  for (size_t g = 0; g < sizes.size(); ++g) candidates.group_begin[g + 1] = candidates.group_begin[g] + sizes[g];
  std::vector<uint32_t> next(candidates.group_begin.begin(), candidates.group_begin.end() - 1);
  candidates.members.resize(candidates.documents.size());
  for (uint32_t ordinal = 0; ordinal < candidates.documents.size(); ++ordinal)
    candidates.members[next[group_of_candidate[ordinal]]++] = ordinal;
}

CandidateRows load_key_rows(BandKeys& keys, std::span<const uint32_t> documents, const LinkOptions& link, bool last) {
  const size_t row_bytes = BandKeys::row_bytes(keys.plan());
  CandidateRows rows(row_bytes, documents.size(), link.key_row_bytes, link.temp_dir);
  std::vector<uint8_t> row(row_bytes);
  std::vector<uint8_t> space;
  size_t next = 0;
  // Both ascend, so each block is read at most once, and freed at once when nothing needs it later.
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

CandidateRows load_filter_rows(LshSketches& sketches, std::span<const uint32_t> documents, const LinkOptions& link, bool last) {
  CandidateRows rows(sketches.filter.row_bytes(), documents.size(), link.filter_row_bytes, link.temp_dir);
  const auto append = [&](const uint8_t* row) { rows.append(row); };
  if (last) {
    sketches.filter_rows.take(documents, append);
  } else {
    sketches.filter_rows.read(documents, append);
  }
  rows.finish();
  return rows;
}

// Drops groups of a document and only the reference document that it copies: its keeper is known. `document_of` gives the document of an
// entry of `candidates.documents`.
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

// The sketch data of the candidates, whose documents are still rows.
void load_rows(Sketches& sketches, const LinkOptions& link, Candidates& candidates) {
  const std::vector<uint32_t>& rows = candidates.documents;
  candidates.missing_sketches = values_at(sketches.missing_sketches, rows);
  if (sketches.codes) candidates.codes = values_at(sketches.codes->codes, rows);
  if (!sketches.lsh) return;
  const bool last = !sketches.needed_later;
  // Key rows and filter rows are in separate files: two threads read them in parallel.
  parallel_for(link.threads, 2, 1, [&](uint32_t, size_t which) {
    if (which == 0) {
      candidates.key_rows = load_key_rows(sketches.lsh->keys, rows, link, last);
    } else {
      candidates.filter_rows = load_filter_rows(*sketches.lsh, rows, link, last);
    }
  });
}

// A group that is not split; only decided members that agree with none of the others are left out, if these are few.
void unite_large_group(std::span<const uint32_t> group, uint32_t decided, const Candidates& all, const PairRule& rule, size_t few,
                       UnionFind& sets) {
  std::vector<uint32_t> open;
  for (const uint32_t member : group) {
    if (member >= decided) open.push_back(member);
  }
  // All open members stay together: solving the group finds out which of them connect.
  for (const uint32_t member : group) {
    const bool of_use =
        member >= decided || open.size() > few || std::ranges::any_of(open, [&](uint32_t other) { return rule.agree(all, member, other); });
    if (of_use) sets.unite(open.front(), member);
  }
}

// The same candidates without the connections and documents that the signature filter rules out. The first `decided` documents are not
// connected with each other. `drop` leaves out groups once they are known.
template <typename Drop>
Candidates prune(uint32_t decided, Candidates all, const PairRule& rule, const LinkOptions& link, size_t prune_up_to, const Drop& drop) {
  UnionFind sets(static_cast<uint32_t>(all.documents.size()));
  parallel_for(link.threads, all.group_count(), 64, [&](uint32_t, size_t g) {
    const auto group = all.group(g);
    if (link.progress != nullptr) link.progress->ask();
    if (group.size() > prune_up_to) return unite_large_group(group, decided, all, rule, prune_up_to, sets);
    for (size_t i = 1; i < group.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (group[i] < decided && group[j] < decided) continue;
        // Pairs that are already connected need no check. Which pairs these are depends on the order; the final components do not.
        if (sets.root(group[i]) != sets.root(group[j]) && rule.agree(all, group[i], group[j])) sets.unite(group[i], group[j]);
      }
    }
  });
  Candidates pruned;
  collect_groups(sets, decided, pruned);  // its documents are still ordinals of `all`
  drop(pruned, [&](uint32_t ordinal) { return all.documents[ordinal]; });
  pruned.key_rows = std::move(all.key_rows);
  pruned.filter_rows = std::move(all.filter_rows);
  pruned.key_rows.keep(pruned.documents);
  pruned.filter_rows.keep(pruned.documents);
  pruned.codes = values_at(all.codes, pruned.documents);
  pruned.missing_sketches = values_at(all.missing_sketches, pruned.documents);
  for (uint32_t& document : pruned.documents) document = all.documents[document];
  return pruned;
}

}  // namespace

size_t CandidateGroups::largest_group() const noexcept {
  size_t largest = 0;
  for (size_t g = 0; g < group_count(); ++g) largest = std::max(largest, group(g).size());
  return largest;
}

Candidates find_sketch_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, Sketches& sketches,
                                  const LinkOptions& link, size_t prune_up_to) {
  const auto taken = [&](uint32_t row, Candidates::Sketch sketch) {
    return takes_part(table, copy_of, sketches.document(row)) &&
           (sketches.missing_sketches.empty() || (sketches.missing_sketches[row] & sketch) == 0);
  };
  auto sets = std::make_unique<UnionFind>(sketches.row(table.size()));  // freed before the rows are loaded
  uint32_t decided_rows = 0;
  while (decided_rows < sets->size() && table.decided(sketches.document(decided_rows))) ++decided_rows;  // they come first
  PairRule rule;
  if (sketches.lsh) {
    rule.lsh = sketches.lsh->keys.plan();
    rule.filter = sketches.lsh->filter;
    connect_by_bands(sketches.lsh->keys, link, *sets, [&](uint32_t row) { return taken(row, Candidates::kSignature); });
  }
  if (sketches.codes) {
    rule.bits = sketches.codes->bits;
    rule.max_distance = sketches.codes->max_distance;
    connect_by_distance(*sketches.codes, link, *sets, [&](uint32_t row) { return taken(row, Candidates::kCode); });
  }
  Candidates candidates;
  collect_groups(*sets, decided_rows, candidates);  // its documents are still rows
  const auto drop = [&](CandidateGroups& groups, const auto& row_of) {
    drop_lone_copies(
        table, copy_of, [&](uint32_t entry) { return sketches.document(row_of(entry)); }, groups);
  };
  drop(candidates, [](uint32_t row) { return row; });
  sets.reset();
  load_rows(sketches, link, candidates);
  if (rule.filter.row_bytes() > 0) {
    const auto end = std::ranges::lower_bound(candidates.documents, decided_rows);
    const auto decided_candidates = static_cast<uint32_t>(end - candidates.documents.begin());
    candidates = prune(decided_candidates, std::move(candidates), rule, link, prune_up_to, drop);
  }
  for (uint32_t& row : candidates.documents) row = sketches.document(row);
  sort_by_rank(table, candidates);
  return candidates;
}

Candidates candidates_of_groups(CandidateGroups groups, Sketches& sketches, const LinkOptions& link) {
  Candidates candidates{std::move(groups), {}, {}, {}, {}};
  std::vector<uint32_t> documents = candidates.documents;
  for (uint32_t& document : candidates.documents) document = sketches.row(document);
  load_rows(sketches, link, candidates);
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
