// A run up to its candidates: passes 1 and 2 over a source, so that groups can be solved in more ways than one.
#pragma once

#include <functional>

#include "dedup/run/decide_pass.h"
#include "dedup/run/feature_pass.h"
#include "dedup/run/group_pass.h"
#include "dedup/run/sketch_pass.h"
#include "dedup/run_setup.h"

namespace neardup::testing {

/// Passes 1 and 2; the features are left to the caller.
class GroupedRun {
 public:
  /// The first `reference_sources` sources are the reference corpus.
  GroupedRun(const Options& options, DocumentSource& source, uint32_t reference_sources = 0,
             std::function<void(const Progress&)> progress = {}, const CheckpointOptions& checkpoint = {})
      : options_(options),
        clock_(std::move(progress)),
        context_(options_, hooks(source), clock_, reference_sources),
        setup_(set_up_run(context_, clock_, {}, checkpoint)),
        corpus_(context_, empty_sketches(context_, setup_.strategy.rule)) {
    Summary summary;
    run_sketch_pass({.context = context_, .sketchers = setup_.sketchers, .journal = setup_.journals.sketches()}, clock_, corpus_, summary);
    grouping_ = run_group_pass(context_, clock_, setup_.strategy, setup_.indexes, setup_.journals, corpus_);
  }

  void read_features(CandidateFeatures& made) {
    run_feature_pass({.context = context_,
                      .strategy = setup_.strategy,
                      .sketchers = setup_.sketchers,
                      .journals = setup_.journals,
                      .corpus = corpus_,
                      .candidates = grouping_.candidates},
                     clock_, made);
  }

  [[nodiscard]] const RunContext& context() const { return context_; }
  [[nodiscard]] const RunSetup& setup() const { return setup_; }
  [[nodiscard]] const CorpusState& corpus() const { return corpus_; }
  [[nodiscard]] const Candidates& candidates() const { return grouping_.candidates; }

 private:
  static RunHooks hooks(DocumentSource& source) {
    RunHooks hooks;
    hooks.source = &source;
    return hooks;
  }

  const Options options_;
  PassClock clock_;
  const RunContext context_;
  const RunSetup setup_;
  CorpusState corpus_;
  Grouping grouping_;
};

class CandidateRun {
 public:
  CandidateRun(const Options& options, DocumentSource& source, uint32_t reference_sources = 0,
               std::function<void(const Progress&)> progress = {})
      : run_(options, source, reference_sources, std::move(progress)), features_(run_.context()) {
    run_.read_features(features_);
  }

  [[nodiscard]] const PassMonitor& monitor() const { return run_.context().monitor; }
  [[nodiscard]] const Candidates& candidates() const { return run_.candidates(); }
  /// By two threads. Valid as long as this.
  [[nodiscard]] GroupInputs inputs(PassProgress* progress = nullptr) const {
    GroupInputs in = group_inputs(run_.context(), run_.setup().strategy, run_.corpus(), run_.candidates(), features_, progress);
    in.threads = 2;
    return in;
  }

 private:
  GroupedRun run_;
  CandidateFeatures features_;
};

}  // namespace neardup::testing
