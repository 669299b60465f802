#include "neardup/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <vector>

#include "base/external_sort.h"
#include "dedup/match/containment/containment_join.h"
#include "dedup/match/join_groups.h"
#include "dedup/pass/outputs.h"
#include "dedup/run/decide_pass.h"
#include "dedup/run/feature_pass.h"
#include "dedup/run/group_pass.h"
#include "dedup/run/sketch_pass.h"
#include "dedup/run_setup.h"
#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

struct PairRecord {
  uint32_t a;
  uint32_t b;
  uint32_t common;
  uint32_t whole;  // that the common features are a share of
  friend bool operator<(const PairRecord& x, const PairRecord& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }
};

constexpr uint64_t kMaxPairs = uint64_t{1} << 32;

// Exact copies, listed by their representative: a pair of representatives represents all pairs of their copies.
class Copies {
 public:
  explicit Copies(std::span<const uint32_t> copy_of) : begin_(copy_of.size() + 1, 0) {
    for (const uint32_t representative : copy_of) ++begin_[representative + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    documents_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t d = 0; d < copy_of.size(); ++d) documents_[next[copy_of[d]]++] = d;
  }
  /// Ascending; includes the representative itself.
  [[nodiscard]] std::span<const uint32_t> of(uint32_t representative) const {
    return {documents_.data() + begin_[representative], begin_[representative + 1] - begin_[representative]};
  }
  [[nodiscard]] uint64_t pair_count() const {
    uint64_t pairs = 0;
    for (size_t d = 0; d + 1 < begin_.size(); ++d) {
      const uint64_t count = begin_[d + 1] - begin_[d];
      if (count > 1) pairs += count * (count - 1) / 2;
    }
    return pairs;
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> documents_;
};

// Collects records per thread and passes them on in bulk, so that the sorter's lock is rarely taken.
class PairCollector {
 public:
  PairCollector(uint32_t threads, ExternalSorter<PairRecord>& sorter) : buffers_(threads), sorter_(sorter) {}
  void add(uint32_t worker, const PairRecord& pair) {
    buffers_[worker].push_back(pair);
    if (buffers_[worker].size() == kBulk) flush(worker);
  }
  void finish() {
    for (uint32_t worker = 0; worker < buffers_.size(); ++worker) flush(worker);
  }

 private:
  static constexpr size_t kBulk = 4096;
  void flush(uint32_t worker) {
    if (count_.fetch_add(buffers_[worker].size(), std::memory_order_relaxed) > kMaxPairs)
      throw Error(ErrorCode::kResource,
                  fmt::format("more than {} pairs; at most that many are listed; dedup handles such inputs", kMaxPairs));
    check_stop();
    sorter_.add(buffers_[worker]);
    buffers_[worker].clear();
  }
  std::vector<std::vector<PairRecord>> buffers_;
  std::atomic<uint64_t> count_{0};  // passed on; the sorter's own count is not thread-safe
  ExternalSorter<PairRecord>& sorter_;
};

PairSink::End end_of(const DocumentTable& table, uint32_t document) {
  return {table.place(document), table.id(document), table.has_id(document)};
}

// Pairs of copies, and of the copies of matching candidates, into `sorter`. Pairs by containment are ordered: a is contained in b, and
// copies are contained in each other.
void collect_pairs(const GroupInputs& in, const Copies& copies, ExternalSorter<PairRecord>& sorter, GroupStats& stats) {
  const bool contained = in.strategy.judge == Judge::kContainment;
  PairCollector collector(in.threads, sorter);
  for (uint32_t d = 0; d < in.table.size(); ++d) {
    const auto same = copies.of(d);
    for (size_t j = 1; j < same.size(); ++j) {
      for (size_t i = 0; i < j; ++i) {
        collector.add(0, {same[i], same[j], 1, 1});
        if (contained) collector.add(0, {same[j], same[i], 1, 1});
      }
    }
  }
  const auto emit = [&](uint32_t worker, uint32_t a, uint32_t b, const Overlap& overlap) {
    for (const uint32_t x : copies.of(a)) {
      for (const uint32_t y : copies.of(b)) {
        if (contained) {
          collector.add(worker, {x, y, overlap.common, overlap.size_a});
        } else {
          collector.add(worker, {std::min(x, y), std::max(x, y), overlap.common, static_cast<uint32_t>(overlap.union_size())});
        }
      }
    }
  };
  if (contained) {
    join_contained(in, emit, stats);
  } else {
    join_groups(in, emit, stats);
  }
  collector.finish();
}

}  // namespace

Summary pairs(const Options& options, const PairsRun& run) {
  const StopScope scope(&run.stop);
  if (options.verify == Verify::kFalse)
    throw Error(ErrorCode::kUsage, "verify: pairs lists verified similarities, so it cannot be 'false'");
  PassClock clock(run.progress);
  const RunContext context(options, run, clock);
  const RunSetup setup = set_up_run(context, clock);
  Summary summary = begin_summary(context, setup);
  CorpusState corpus(context, empty_sketches(context, setup.strategy.rule));
  run_sketch_pass({.context = context, .sketchers = setup.sketchers}, clock, corpus, summary);
  const Grouping grouping = run_group_pass(context, clock, setup.strategy, setup.indexes, setup.journals, corpus);
  const Candidates& candidates = grouping.candidates;
  CandidateFeatures features(context);
  run_feature_pass({.context = context,
                    .strategy = setup.strategy,
                    .sketchers = setup.sketchers,
                    .journals = setup.journals,
                    .corpus = corpus,
                    .candidates = candidates},
                   clock, features);

  const Copies copies(corpus.copy_of);
  const uint64_t orders = setup.strategy.judge == Judge::kContainment ? 2 : 1;
  if (const uint64_t count = copies.pair_count() * orders; count > kMaxPairs) {
    throw Error(ErrorCode::kResource,
                fmt::format("exact copies alone make {} pairs, at most {} are listed; dedup handles such inputs", count, kMaxPairs));
  }
  ExternalSorter<PairRecord> sorter(context.memory.sorting, options.temp_dir);
  GroupStats stats;
  PassProgress progress(clock.monitor(), "join", candidates.members.size());
  clock.timed("join", [&] {
    collect_pairs(group_inputs(context, setup.strategy, corpus, candidates, features, &progress), copies, sorter, stats);
    return features.features.total_features() * sizeof(uint64_t);
  });
  clock.timed("output", [&] {
    sorter.for_each([&](const PairRecord& pair) {
      if (run.sink == nullptr) return;
      run.sink->append(end_of(corpus.table, pair.a), end_of(corpus.table, pair.b), static_cast<double>(pair.common) / pair.whole);
    });
    return sorter.count() * sizeof(PairRecord);
  });
  Outputs outputs;
  outputs.add(run.rejects);
  outputs.add(run.sink);
  outputs.commit();

  summary.pairs = sorter.count();
  summary.kept = summary.read - summary.rejected;
  summary.candidate_documents = candidates.documents.size();
  summary.largest_group = candidates.largest_group();
  summary.verifications = stats.verifications;
  summary.capped_documents = stats.capped_documents;
  finish_summary(clock, setup, corpus, spilled_bytes(candidates, features), summary);
  summary.spilled_bytes += sorter.spilled_bytes();
  return summary;
}

}  // namespace neardup
