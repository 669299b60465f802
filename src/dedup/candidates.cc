#include "dedup/candidates.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/parallel.h"
#include "dedup/candidate_links.h"
#include "dedup/pair_rule.h"
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
  std::vector<uint32_t> group_of(sets.size());  // of those that are roots and have others
  std::vector<uint32_t> group_of_candidate;
  std::vector<uint32_t> sizes;
  for (uint32_t d = 0; d < sets.size(); ++d) {
    const uint32_t root = sets.root(d);
    if (root == d) {
      if (!has_others[d]) continue;
      group_of[d] = static_cast<uint32_t>(sizes.size());
      sizes.push_back(0);
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

CandidateRows take_key_rows(BandKeys& keys, std::span<const uint32_t> documents, const LinkRun& run) {
  const size_t row_bytes = BandKeys::row_bytes(keys.plan());
  CandidateRows rows(row_bytes, documents.size(), run.key_row_bytes, run.temp_directory);
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
    keys.forget(block);
  }
  rows.finish();
  return rows;
}

CandidateRows take_filter_rows(LshSketches& sketches, std::span<const uint32_t> documents, const LinkRun& run) {
  CandidateRows rows(sketches.filter.row_bytes(), documents.size(), run.filter_row_bytes, run.temp_directory);
  sketches.filter_rows.take(documents, [&](const uint8_t* row) { rows.append(row); });
  rows.finish();
  return rows;
}

// The values of these documents; none if there are none.
template <typename Value>
std::vector<Value> of_documents(std::span<const Value> values, std::span<const uint32_t> documents) {
  std::vector<Value> taken;
  if (values.empty()) return taken;
  taken.reserve(documents.size());
  for (const uint32_t document : documents) taken.push_back(values[document]);
  return taken;
}
template <typename Value>
std::vector<Value> of_documents(const std::vector<Value>& values, std::span<const uint32_t> documents) {
  return of_documents(std::span<const Value>(values), documents);
}

// The same candidates without the connections, and the documents, that the signature filter rules out.
Candidates prune(const DocumentTable& table, Candidates all, const PairRule& rule, const LinkRun& run, size_t prune_up_to) {
  UnionFind sets(static_cast<uint32_t>(all.documents.size()));
  parallel_for(run.threads, all.group_count(), 64, [&](uint32_t, size_t g) {
    const auto group = all.group(g);
    if (run.steps != nullptr) run.steps->ask();
    for (size_t i = 1; i < group.size(); ++i) {
      if (group.size() > prune_up_to) {
        sets.unite(group[0], group[i]);
        continue;
      }
      for (size_t j = 0; j < i; ++j) {
        if (table.reference(all.documents[group[i]]) && table.reference(all.documents[group[j]])) continue;
        if (sets.root(group[i]) != sets.root(group[j]) && rule.agree(all, group[i], group[j])) sets.unite(group[i], group[j]);
      }
    }
  });
  Candidates pruned;
  collect_groups(sets, pruned);  // its documents are ordinals of `all` so far
  pruned.key_rows = std::move(all.key_rows);
  pruned.filter_rows = std::move(all.filter_rows);
  pruned.key_rows.keep(pruned.documents);
  pruned.filter_rows.keep(pruned.documents);
  pruned.codes = of_documents(all.codes, pruned.documents);
  pruned.lacks = of_documents(all.lacks, pruned.documents);
  for (uint32_t& document : pruned.documents) document = all.documents[document];
  return pruned;
}

}  // namespace

std::vector<uint32_t> find_exact_copies(const DocumentTable& table, uint32_t threads, uint64_t memory_bytes) {
  UnionFind sets(table.size());
  // Grouped by the upper half of the hash. That different texts share it is next to impossible (2^-64 a pair); were it to happen,
  // such a text stays out of the group, and verification still finds its near-duplicates.
  const auto read = [&](uint32_t, size_t batch, const auto& emit) {
    const uint32_t end = table.first_document(batch) + table.documents(batch);
    for (uint32_t d = table.first_document(batch); d < end; ++d) {
      if (!table.rejected(d)) emit(table.exact(d).high, d);
    }
  };
  KeySpace space;
  for_each_equal_key(threads, memory_bytes, {.parts = table.batch_count(), .keys = table.size()}, space, read,
                     [&](uint32_t first, uint32_t later) {
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

Candidates find_sketch_candidates(const DocumentTable& table, std::span<const uint32_t> copy_of, Sketches& sketches, const LinkRun& run,
                                  size_t prune_up_to) {
  const auto taken = [&](uint32_t document, Candidates::Lack lack) {
    return takes_part(table, copy_of, document) && (sketches.lacks.empty() || (sketches.lacks[document] & lack) == 0);
  };
  auto sets = std::make_unique<UnionFind>(table.size());  // gone before the rows are loaded
  PairRule rule;
  if (sketches.lsh) {
    rule.lsh = sketches.lsh->keys.plan();
    rule.filter = sketches.lsh->filter;
    connect_by_bands(sketches.lsh->keys, run, *sets, [&](uint32_t d) { return taken(d, Candidates::kSignature); });
  }
  if (sketches.codes) {
    rule.bits = sketches.codes->bits;
    rule.max_distance = sketches.codes->max_distance;
    connect_by_distance(*sketches.codes, run, *sets, [&](uint32_t d) { return taken(d, Candidates::kCode); });
  }
  Candidates candidates;
  collect_groups(*sets, candidates);
  sets.reset();
  candidates.lacks = of_documents(sketches.lacks, candidates.documents);
  if (sketches.codes) candidates.codes = of_documents(sketches.codes->codes, candidates.documents);
  if (sketches.lsh) {
    parallel_for(run.threads, 2, 1, [&](uint32_t, size_t which) {
      if (which == 0) {
        candidates.key_rows = take_key_rows(sketches.lsh->keys, candidates.documents, run);
      } else {
        candidates.filter_rows = take_filter_rows(*sketches.lsh, candidates.documents, run);
      }
    });
    if (rule.filter.row_bytes() > 0) candidates = prune(table, std::move(candidates), rule, run, prune_up_to);
  }
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
