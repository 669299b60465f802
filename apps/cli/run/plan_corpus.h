// `neardup plan --documents N` for a MinHash recipe: what a run over N documents costs.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_prediction.h"

namespace neardup::cli {

std::vector<LocalOption> plan_corpus_options();

/// True if the command line is about a corpus: --documents with an option of a run, such as --recipe, or --text-bytes.
bool asks_for_corpus(const Invocation& invocation);

/// A corpus and its cost.
struct CorpusCosts {
  RunCorpus corpus;
  RunPrediction costs;
};

/// Measures this machine for half a second. Throws Error{kUsage} for values out of bounds, and for a plan without bands.
CorpusCosts corpus_costs(const Invocation& invocation, const RunPlan& plan);

std::string corpus_text(const CorpusCosts& answer, const RunPlan& plan);
/// The member "corpus" of the plan's object.
std::string corpus_json(const CorpusCosts& answer, const RunPlan& plan);

}  // namespace neardup::cli
