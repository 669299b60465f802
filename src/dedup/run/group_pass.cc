#include "dedup/run/group_pass.h"

#include <optional>
#include <span>
#include <utility>

#include "dedup/match/candidates/exact_copies.h"
#include "dedup/match/for_groups.h"
#include "dedup/pass/pass_progress.h"

namespace neardup {
namespace {

// The rows of the candidates replace those of all documents, unless another slice follows; while they are selected, both exist.
LinkOptions link_options(const RunContext& context, PassProgress* progress) {
  return {.threads = context.threads,
          .memory_bytes = context.memory.grouping,
          .temp_dir = context.options.temp_dir,
          .key_row_bytes = context.memory.band_keys / 2,
          .filter_row_bytes = context.memory.filter_rows / 2,
          .progress = progress};
}

// A document that an index entry removes takes no further part: it is nobody's keeper.
std::vector<IndexMatch> match_indexes(const RunContext& context, const PairRule& rule, const ReferenceIndexes& indexes,
                                      CorpusState& corpus) {
  Sketches& sketches = corpus.sketches;
  const auto codes = std::span(sketches.codes->codes).subspan(sketches.kept.size());
  auto matches = indexes.find(corpus.table, corpus.copy_of, sketches.slice_begin, codes, rule.max_distance, context.threads);
  sketches.missing_sketches.resize(sketches.row(corpus.table.size()));
  for (const IndexMatch& match : matches) {
    if (corpus.table.is_protected(match.document)) continue;  // it is kept
    sketches.missing_sketches[sketches.row(match.document)] |= Candidates::kCode;
  }
  return matches;
}

Grouping find_groups(const RunContext& context, PassClock& clock, const PairRule& rule, const ReferenceIndexes& indexes,
                     CorpusState& corpus) {
  corpus.copy_of = find_exact_copies(corpus.table, context.threads, context.memory.grouping, std::move(corpus.copy_of));
  note_copies(corpus, clock.totals());
  PassProgress progress(clock.monitor(), "group", rule.lsh.bands);
  Grouping found;
  if (!indexes.empty()) found.index_matches = match_indexes(context, rule, indexes, corpus);
  found.candidates = rule.all_pairs() ? all_candidates(corpus.table, corpus.copy_of)
                                      : find_sketch_candidates(corpus.table, corpus.copy_of, corpus.sketches,
                                                               link_options(context, &progress), kSmallGroup);
  return found;
}

Grouping use_loaded(const RunContext& context, PassClock& clock, SliceCandidates loaded, CorpusState& corpus) {
  corpus.copy_of.insert(corpus.copy_of.end(), loaded.copy_of.begin(), loaded.copy_of.end());
  note_copies(corpus, clock.totals());
  return {.candidates = candidates_of_groups(std::move(loaded.groups), corpus.sketches, link_options(context, nullptr)),
          .index_matches = std::move(loaded.index_matches)};
}

}  // namespace

Grouping run_group_pass(const RunContext& context, PassClock& clock, const PairStrategy& strategy, const ReferenceIndexes& indexes,
                        const Journals& journals, CorpusState& corpus) {
  const PairRule& rule = strategy.rule;
  Grouping grouping;
  clock.timed("group", [&] {
    corpus.sketches.needed_later = !corpus.at_end;
    // There is no point in storing one group of all documents.
    std::optional<SliceCandidates> loaded;
    if (!rule.all_pairs()) loaded = journals.load_groups(corpus);
    if (loaded) {
      grouping = use_loaded(context, clock, std::move(*loaded), corpus);
    } else {
      grouping = find_groups(context, clock, rule, indexes, corpus);
      if (!rule.all_pairs()) journals.save_groups(corpus, grouping.index_matches, grouping.candidates);
    }
    return corpus.sketches.row(corpus.table.size()) * (BandKeys::row_bytes(rule.lsh) + rule.bits / 8);
  });
  if (!indexes.empty()) grouping.reference_entries = indexes.entries();
  if (corpus.at_end) corpus.sketches = {};  // with its disk space
  return grouping;
}

}  // namespace neardup
