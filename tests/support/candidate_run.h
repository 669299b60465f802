// A run up to its candidates: passes 1 and 2 over a source, so that groups can be solved in more ways than one.
#pragma once

#include <functional>

#include "dedup/run/decide_pass.h"
#include "dedup/run/feature_pass.h"
#include "dedup/run/group_pass.h"
#include "dedup/run/sketch_pass.h"
#include "dedup/run_setup.h"

namespace neardup::testing {

class CandidateRun {
 public:
  /// The first `reference_sources` sources are the reference corpus.
  CandidateRun(const Options& options, DocumentSource& source, uint32_t reference_sources = 0,
               std::function<void(const Progress&)> progress = {})
      : options_(options),
        clock_(std::move(progress)),
        context_(options_, hooks(source), clock_, reference_sources),
        setup_(set_up_run(context_, clock_)),
        corpus_(context_, empty_sketches(context_, setup_.strategy.rule)),
        features_(context_) {
    Summary summary;
    run_sketch_pass({.context = context_, .sketchers = setup_.sketchers}, clock_, corpus_, summary);
    grouping_ = run_group_pass(context_, clock_, setup_.strategy, setup_.indexes, setup_.journals, corpus_);
    run_feature_pass({.context = context_,
                      .strategy = setup_.strategy,
                      .sketchers = setup_.sketchers,
                      .journals = setup_.journals,
                      .corpus = corpus_,
                      .candidates = grouping_.candidates},
                     clock_, features_);
  }

  [[nodiscard]] const PassMonitor& monitor() const { return context_.monitor; }
  [[nodiscard]] const Candidates& candidates() const { return grouping_.candidates; }
  /// By two threads. Valid as long as this.
  [[nodiscard]] GroupInputs inputs(PassProgress* progress = nullptr) const {
    GroupInputs in = group_inputs(context_, setup_.strategy, corpus_, grouping_.candidates, features_, progress);
    in.threads = 2;
    return in;
  }

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
  CandidateFeatures features_;
};

}  // namespace neardup::testing
