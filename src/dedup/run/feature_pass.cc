#include "dedup/run/feature_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/byte_codec.h"
#include "dedup/checkpoint/pass_journal.h"
#include "dedup/match/block_search.h"
#include "dedup/pass/ordered_pipeline.h"
#include "dedup/pass/source_window.h"
#include "index/prefix/containment_index.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

constexpr uint64_t kMiB = 1 << 20;

// The sets of the candidates of one batch.
struct FeatureSlot {
  FeatureSets features;
  FeatureSets weights;
  std::string stored;  // bytes for the journal; empty: they come from the journal

  void clear() {
    features.clear();
    weights.clear();
    stored.clear();
  }
  void save() {
    ByteWriter to(stored);
    to.array(features.joined());
    to.array(weights.joined());
    to.array(features.sizes);
  }
  void load(std::string_view bytes, const std::string& name, bool weighted) {
    std::vector<uint64_t> all_features;
    std::vector<uint64_t> all_weights;
    std::vector<uint32_t> sizes;
    ByteReader from(bytes, name);
    from.array(all_features);
    from.array(all_weights);
    from.array(sizes);
    from.end();
    uint64_t total = 0;
    for (const uint32_t size : sizes) total += size;
    if (total != all_features.size() || all_weights.size() != (weighted ? all_features.size() : 0)) from.fail();
    size_t begin = 0;
    for (const uint32_t size : sizes) {
      features.add(std::span(all_features).subspan(begin, size));
      if (weighted) weights.add(std::span(all_weights).subspan(begin, size));
      begin += size;
    }
  }
};

class FeaturePass {
 public:
  /// `journal` and `early` may be null.
  FeaturePass(const FeaturePassInputs& in, PassJournal* journal, EarlyGroups* early)
      : table_(in.corpus.table),
        candidates_(in.candidates),
        sketcher_(*in.sketchers.sketcher),
        weigher_(in.sketchers.weigher.get()),
        blocks_(in.sketchers.blocks),
        journal_(journal),
        early_(early),
        weighted_(in.strategy.weighted()),
        scratch_(in.context.threads),
        weights_(in.context.threads),
        slots_(batch_slots(in.context.source, in.context.threads)) {}

  // A batch without candidates is not read at all.
  void fetch(Batch& batch, uint64_t ordinal) const {
    if ((journal_ == nullptr || !journal_->has(ordinal)) && !candidates_of(ordinal).empty()) batch.fetch(Batch::Need::kText);
  }

  void work(uint32_t worker, Batch& batch, uint64_t ordinal, size_t index) {
    if (early_ != nullptr) early_->solve_complete(worker);
    FeatureSlot& slot = slots_[index];
    slot.clear();
    if (journal_ != nullptr && journal_->has(ordinal)) return load(ordinal, slot);
    read(worker, batch, ordinal, slot);
    if (slot.features.sizes.size() != candidates_of(ordinal).size())
      throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading found other records");
    if (journal_ != nullptr) slot.save();
  }

  uint64_t commit(uint64_t ordinal, size_t index, CandidateFeatures& made) {
    FeatureSlot& slot = slots_[index];
    made.features.append(slot.features);
    if (weighted_) made.weights.append(slot.weights);
    if (early_ != nullptr) early_->arrived(made.features.count());
    if (journal_ != nullptr) journal_->put(ordinal, slot.stored);
    return table_.records(ordinal);
  }

 private:
  // The candidates among the documents of the batch.
  [[nodiscard]] std::span<const uint32_t> candidates_of(uint64_t ordinal) const {
    const auto& documents = candidates_.documents;
    const uint32_t first = table_.first_document(ordinal);
    const auto begin = std::lower_bound(documents.begin(), documents.end(), first);
    return {begin, std::lower_bound(begin, documents.end(), first + table_.documents(ordinal))};
  }

  // From the journal, which has it.
  void load(uint64_t ordinal, FeatureSlot& slot) const {
    const std::string& name = journal_->name_of(ordinal);
    slot.load(journal_->get(ordinal), name, weighted_);
    const size_t sets = slot.features.sizes.size();
    const size_t candidates = candidates_of(ordinal).size();
    if (sets == candidates) return;
    throw Error(ErrorCode::kInput, fmt::format("'{}' has the features of {} documents of batch {}, of which {} have candidates; remove the "
                                               "file, and they are computed again",
                                               name, sets, ordinal, candidates));
  }

  void read(uint32_t worker, Batch& batch, uint64_t ordinal, FeatureSlot& slot) {
    const std::span<const uint32_t> candidates = candidates_of(ordinal);
    if (candidates.empty()) return;
    auto next = candidates.begin();
    batch.expect_known_records();
    batch.read(
        Batch::Need::kText,
        [&](uint32_t i) {
          if (next == candidates.end() || *next != table_.document(ordinal, i)) return false;
          ++next;
          return true;
        },
        [&](uint32_t, const Record& record) { add(record, worker, slot); });
  }

  // What one worker weighs in.
  struct Weights {
    Weighter::Scratch scratch;
    std::vector<WeightedFeature> features;
    std::vector<uint64_t> hashes;  // of the text at hand, apart
    std::vector<uint64_t> weights;
  };

  void add(const Record& record, uint32_t worker, FeatureSlot& slot) {
    Sketcher::Scratch& scratch = scratch_[worker];
    if (blocks_) SketcherAccess::enter_block(sketcher_, record.block, scratch);
    if (!weighted_) return slot.features.add(sketcher_.features(record.text, scratch));
    Weights& own = weights_[worker];
    const auto weighted = weigh(record.text, scratch, own);
    own.hashes.clear();
    own.weights.clear();
    for (const WeightedFeature& feature : weighted) {
      own.hashes.push_back(feature.hash);
      own.weights.push_back(static_cast<uint64_t>(feature.weight));
    }
    slot.features.add(own.hashes);
    slot.weights.add(own.weights);
  }

  // Candidates have enough features.
  std::span<const WeightedFeature> weigh(std::string_view text, Sketcher::Scratch& scratch, Weights& weights) const {
    if (weigher_ == nullptr) return sketcher_.weighted_features(text, scratch);
    weigher_->weigh(SketcherAccess::occurrences(sketcher_, text, scratch), weights.scratch, weights.features);
    return weights.features;
  }

  const DocumentTable& table_;
  const Candidates& candidates_;
  const Sketcher& sketcher_;
  const FeatureWeigher* const weigher_;  // may be null
  const bool blocks_;
  PassJournal* const journal_;
  EarlyGroups* const early_;
  const bool weighted_;
  std::vector<Sketcher::Scratch> scratch_;
  std::vector<Weights> weights_;
  std::vector<FeatureSlot> slots_;
};

void read_features(const FeaturePassInputs& in, CandidateFeatures& made, EarlyGroups* early) {
  const RunContext& context = in.context;
  const CorpusState& corpus = in.corpus;
  // Each slice has other candidates in a batch.
  const std::unique_ptr<PassJournal> journal = context.slice_documents == 0 ? in.journals.open_features() : nullptr;
  SourceWindow read_so_far(context.source,
                           {.end = corpus.at_end ? SourceWindow::kToTheEnd : corpus.table.batch_count(), .input_bytes = corpus.read_bytes});
  FeaturePass pass(in, journal.get(), early);
  for_each_batch(
      read_so_far, context.threads, context.monitor, "features", [&](Batch& batch, uint64_t ordinal) { pass.fetch(batch, ordinal); },
      [&](uint32_t worker, Batch& batch, uint64_t ordinal, size_t slot) { pass.work(worker, batch, ordinal, slot); },
      [&](Batch&, uint64_t ordinal, size_t slot) { return pass.commit(ordinal, slot, made); }, corpus.table.batch_count());
  if (journal) journal->finish();
  // Groups read what is on disk set by set, each a few times. A search through all sets reads them many times, and maps them.
  const uint64_t min_mapped = in.strategy.decides_by_group() ? FeatureStore::kNeverMapped : FeatureStore::kUsualMinMapped;
  made.features.finish(min_mapped);
  if (in.strategy.weighted()) made.weights.finish(min_mapped);
}

// The prefix index is in memory; it may use half of the budget.
void check_exact_search_memory(const RunContext& context, const FeatureStore& features) {
  constexpr uint64_t kPostingBytes = 80;       // of a posting and its slot, with the room to grow
  constexpr uint64_t kFixedBytes = 64 * kMiB;  // frequencies
  const uint64_t prefix_features =
      features.total_features() * (Threshold::kOne - context.options.threshold.millionths()) / Threshold::kOne + features.count();
  const uint64_t needed = prefix_features * kPostingBytes + uint64_t{features.count()} * context.threads * sizeof(uint64_t) + kFixedBytes;
  if (needed > std::max(context.memory.total / 2, 2 * kFixedBytes)) {
    throw Error(ErrorCode::kResource,
                fmt::format("search 'exact' would need about {} MiB for its index, half of the memory budget is {} MiB; "
                            "raise --memory, or use --search lsh",
                            needed / kMiB, context.memory.total / 2 / kMiB));
  }
}

// The join by containment indexes one part of the documents after the other; a part has at least one block.
void check_containment_memory(const FeaturePassInputs& in, const FeatureStore& features) {
  const RunContext& context = in.context;
  const PairStrategy& strategy = in.strategy;
  std::vector<uint32_t> sizes(features.count());
  for (uint32_t ordinal = 0; ordinal < sizes.size(); ++ordinal) sizes[ordinal] = features.size(ordinal);
  const auto end = sizes.begin() + std::min<ptrdiff_t>(kBlock, std::ssize(sizes));
  std::ranges::partial_sort(sizes, end, std::ranges::greater{});
  uint64_t needed = 0;
  for (auto size = sizes.begin(); size != end; ++size)
    needed += ContainmentIndex::bytes_of(strategy.containment, strategy.containment_sample, *size, context.threads);
  if (needed > context.memory.join_index) {
    throw Error(
        ErrorCode::kResource,
        fmt::format(
            "measure 'containment' would need about {} MiB to index the {} largest texts, a quarter of the memory budget is {} MiB; "
            "raise --memory to {}M{}",
            needed / kMiB, end - sizes.begin(), context.memory.join_index / kMiB, needed * 4 / 1'000'000 + 1,
            strategy.containment_sample.all() ? ", or use --search lsh" : ", or the threshold, which makes the samples smaller"));
  }
}

}  // namespace

void run_feature_pass(const FeaturePassInputs& in, PassClock& clock, CandidateFeatures& made, EarlyGroups* early) {
  if (!in.strategy.reads_features()) return;
  if (in.candidates.documents.empty()) return clock.skip_passes(1);
  clock.timed("features", [&] {
    read_features(in, made, early);
    return made.features.total_features() * sizeof(uint64_t);
  });
  if (in.strategy.judge == Judge::kContainment) check_containment_memory(in, made.features);
  if (in.strategy.rule.all_pairs() && in.strategy.judge == Judge::kJaccard) check_exact_search_memory(in.context, made.features);
}

}  // namespace neardup
