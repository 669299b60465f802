// The part of Engine between the sketches and the decisions: slices, groups of candidates, and their features.
#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "dedup/engine.h"
#include "dedup/feature_pass.h"
#include "dedup/match/groups.h"
#include "dedup/pass/source_window.h"
#include "dedup/run_folder/sketched_batch.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kMiB = 1 << 20;

uint64_t count_copies(const DocumentTable& table, const std::vector<uint32_t>& copy_of) {
  uint64_t copies = 0;
  for (uint32_t d = 0; d < table.size(); ++d) copies += static_cast<uint64_t>(copy_of[d] != d && !table.reference(d));
  return copies;
}

}  // namespace

void Engine::take_decided() {
  note_copies();
  if (at_end_) sketches_ = {};
}

void Engine::settle(std::span<const Removal> removals) {
  auto next = std::ranges::lower_bound(removals, table.settled_end(), {}, &Removal::document);
  sketches_.keep(table.size(), [&](uint32_t document) {
    if (!takes_part(table, copy_of, document) || copies_reference(table, copy_of, document)) return false;
    while (next != removals.end() && next->document < document) ++next;
    return next == removals.end() || next->document != document;
  });
  // Copies of reference documents are among the copies already.
  settled_removals_ = static_cast<uint64_t>(
      std::ranges::count_if(removals, [&](const Removal& removal) { return !copies_reference(table, copy_of, removal.document); }));
  slice_batch_ = table.batch_count();
  table.settle();
  if (!sketch_journal_) return;
  sketch_journal_->thin(table.batch_count(), [&](uint64_t batch, std::string_view bytes, const std::string& name) {
    SketchedBatch sketched;
    sketched.load(bytes, name);
    const uint32_t first = table.first_document(batch);
    auto kept = std::ranges::lower_bound(sketches_.kept, first);
    sketched.thin([&](uint32_t i) {
      const bool stays = kept != sketches_.kept.end() && *kept == first + i;
      if (stays) ++kept;
      return stays;
    });
    std::string thinned;
    sketched.save(thinned);
    return thinned;
  });
}

// The rows of the candidates take the place of those of all documents, unless another slice follows; while they are sifted, they are there
// twice.
LinkRun Engine::link_run() const {
  return {.threads = threads,
          .memory_bytes = memory.grouping,
          .temp_dir = options.temp_dir,
          .key_row_bytes = memory.band_keys / 2,
          .filter_row_bytes = memory.filter_rows / 2};
}

void Engine::find_candidates() {
  const PairRule& rule = choice.rule;
  timed("group", [&] {
    sketches_.needed_later = !at_end_;
    if (!indexes.empty()) summary.reference_entries = indexes.entries();
    if (!take_groups()) find_groups();
    return sketches_.row(table.size()) * (BandKeys::row_bytes(rule.lsh) + rule.bits / 8);
  });
  if (at_end_) sketches_ = {};  // with its part of the disk
  summary.candidate_documents += candidates.documents.size();
  summary.largest_group = std::max<uint64_t>(summary.largest_group, candidates.largest_group());

  if (!reads_features()) return;
  if (candidates.documents.empty()) {
    spare_passes(1);
    return;
  }
  FeatureStore* const weight_store = choice.judge == Judge::kCosine ? &weights : nullptr;
  timed("features", [&] {
    std::optional<PassJournal> journal;
    // Which documents of a batch are candidates is another matter in each slice.
    if (folder_ && slice_documents_ == 0) journal.emplace(*folder_, "features", sketch_id());
    SourceWindow read_so_far(source, {.end = at_end_ ? SourceWindow::kToTheEnd : table.batch_count(), .input_bytes = read_bytes_});
    run_feature_pass({.source = read_so_far,
                      .sketcher = *sketcher,
                      .table = table,
                      .candidates = candidates,
                      .threads = threads,
                      .monitor = monitor,
                      .journal = journal ? &*journal : nullptr},
                     features, weight_store);
    return features.total_features() * sizeof(uint64_t);
  });
  if (rule.all_pairs()) check_exact_search_memory();
}

GroupedSlice Engine::slice() const {
  return {.recipe_id = sketch_id(), .first_batch = slice_batch_, .first_document = table.settled_end(), .end_document = table.size()};
}

// The exact hashes are not needed any more, unless copies come in a later slice.
void Engine::note_copies() {
  known.duplicates = count_copies(table, copy_of) + settled_removals_;
  if (at_end_) table.forget_exact_hashes();
}

void Engine::find_groups() {
  const PairRule& rule = choice.rule;
  copy_of = find_exact_copies(table, threads, memory.grouping, std::move(copy_of));
  note_copies();
  PassSteps steps(monitor, "group", rule.lsh.bands);
  if (!indexes.empty()) find_witnesses();
  LinkRun link = link_run();
  link.steps = &steps;
  candidates = rule.all_pairs() ? all_candidates(table, copy_of) : find_sketch_candidates(table, copy_of, sketches_, link, kSmallGroup);
  if (!folder_ || rule.all_pairs()) return;
  Grouped::save(*folder_, slice(), copy_of, witnesses, candidates);
}

bool Engine::take_groups() {
  if (!folder_ || choice.rule.all_pairs()) return false;
  auto grouped = Grouped::load(*folder_, slice());
  const auto is_kept = [&](uint32_t document) {
    return document >= table.settled_end() || std::ranges::binary_search(sketches_.kept, document);
  };
  if (!grouped || !std::ranges::all_of(grouped->groups.documents, is_kept)) return false;
  copy_of.insert(copy_of.end(), grouped->copy_of.begin(), grouped->copy_of.end());
  note_copies();
  witnesses = std::move(grouped->witnesses);
  candidates = candidates_of_groups(std::move(grouped->groups), sketches_, link_run());
  return true;
}

// What an entry of an index removes takes no part in what follows: it keeps nobody.
void Engine::find_witnesses() {
  const auto codes = std::span(sketches_.codes->codes).subspan(sketches_.kept.size());
  witnesses = indexes.find(table, copy_of, sketches_.slice_begin, codes, choice.rule.max_distance, threads);
  sketches_.lacks.resize(sketches_.row(table.size()));
  for (const Witness& witness : witnesses) sketches_.lacks[sketches_.row(witness.document)] |= Candidates::kCode;
}

// The prefix index lives in memory; half of the budget is for it.
void Engine::check_exact_search_memory() const {
  constexpr uint64_t kPostingBytes = 80;       // of a posting and its slot, with the room to grow
  constexpr uint64_t kFixedBytes = 64 * kMiB;  // frequencies
  const uint64_t prefix_features =
      features.total_features() * (Threshold::kOne - options.threshold.millionths()) / Threshold::kOne + features.count();
  const uint64_t needed = prefix_features * kPostingBytes + uint64_t{features.count()} * threads * sizeof(uint64_t) + kFixedBytes;
  if (needed > std::max(memory.total / 2, 2 * kFixedBytes)) {
    throw Error(ErrorCode::kResource,
                fmt::format("search 'exact' would need about {} MiB for its index, half of the memory budget is {} MiB; "
                            "raise --memory, or use --search lsh",
                            needed / kMiB, memory.total / 2 / kMiB));
  }
}

PassSteps Engine::group_steps(std::string name) const {
  return {monitor, std::move(name), candidates.members.size()};
}

Matcher Engine::matcher(PassSteps* steps) const {
  // A distance is known without a verification: nothing to cap. The exact search is exact.
  const bool uncapped = options.search == Search::kExact || choice.judge == Judge::kHamming;
  return Matcher({.table = table,
                  .candidates = candidates,
                  .features = features,
                  .weights = weights,
                  .rule = choice.rule,
                  .judge = choice.judge,
                  .threshold = options.threshold,
                  .max_candidates = uncapped ? 0 : options.max_candidates,
                  .steps = steps,
                  .copy_of = copy_of});
}

uint64_t Engine::spilled_for_candidates() const noexcept {
  return candidates.key_rows.spilled_bytes() + candidates.filter_rows.spilled_bytes() + features.spilled_bytes() + weights.spilled_bytes();
}

void Engine::forget_candidates() {
  spilled_candidates_ = std::max(spilled_candidates_, spilled_for_candidates());
  candidates = {};
  features = FeatureStore(memory.features, options.temp_dir);
  weights = FeatureStore(memory.features, options.temp_dir);
}

}  // namespace neardup
