#include "dedup/corpus_state.h"

#include <algorithm>
#include <utility>

#include "dedup/match/candidates/exact_copies.h"

namespace neardup {
namespace {

uint64_t count_copies(const DocumentTable& table, std::span<const uint32_t> copy_of) {
  uint64_t copies = 0;
  for (uint32_t d = 0; d < table.size(); ++d) copies += static_cast<uint64_t>(copy_of[d] != d && !table.reference(d));
  return copies;
}

}  // namespace

CorpusState::CorpusState(const RunContext& context, Sketches made, std::vector<uint32_t> copies)
    : table(context.keep, context.reference_sources),
      sketches(std::move(made)),
      copy_of(std::move(copies)),
      rejected(context.options.max_rejects),
      rejected_references(context.options.max_rejects, " of the reference corpus") {}

Sketches empty_sketches(const RunContext& context, const PairRule& rule) {
  const std::string& temp_dir = context.options.temp_dir;
  Sketches sketches;
  if (rule.lsh.bands != 0) {
    sketches.lsh.emplace(LshSketches{.keys = BandKeys(rule.lsh, context.memory.band_keys, temp_dir),
                                     .filter = rule.filter,
                                     .filter_rows = RowStore(rule.filter.row_bytes(), context.memory.filter_rows, temp_dir)});
  }
  if (rule.bits != 0) sketches.codes.emplace(CodeSketches{.bits = rule.bits, .max_distance = rule.max_distance, .codes = {}});
  return sketches;
}

void note_copies(CorpusState& corpus, Progress& totals) {
  totals.duplicates = count_copies(corpus.table, corpus.copy_of) + corpus.decided_removals;
  if (corpus.at_end) corpus.table.forget_exact_hashes();
}

void close_slice(CorpusState& corpus, std::span<const Removal> removals) {
  DocumentTable& table = corpus.table;
  auto next = std::ranges::lower_bound(removals, table.open_begin(), {}, &Removal::document);
  // Later documents are compared with kept ones only: neither with copies, which their representative represents, nor with removed ones.
  corpus.sketches.keep(table.size(), [&](uint32_t document) {
    if (!takes_part(table, corpus.copy_of, document) || copies_reference(table, corpus.copy_of, document)) return false;
    while (next != removals.end() && next->document < document) ++next;
    return next == removals.end() || next->document != document;
  });
  // Copies of reference documents are among the copies already.
  corpus.decided_removals = static_cast<uint64_t>(
      std::ranges::count_if(removals, [&](const Removal& removal) { return !copies_reference(table, corpus.copy_of, removal.document); }));
  corpus.first_batch = table.batch_count();
  table.close_slice();
}

}  // namespace neardup
