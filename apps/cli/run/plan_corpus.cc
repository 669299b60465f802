#include "cli/run/plan_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands/commands.h"
#include "cli/options/local_options.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/options.h"

namespace neardup::cli {
namespace {

constexpr double kMaxCorpus = 4e9;  // a document has a number of 32 bits
constexpr double kMaxTextBytes = 256e6;
constexpr double kDefaultTextBytes = 1000;

uint64_t whole(const Invocation& invocation, std::string_view name, double otherwise, double max) {
  const double value = local_amount(invocation, name, otherwise, 1, max);
  if (value != std::floor(value)) {
    throw Error(ErrorCode::kUsage, fmt::format("--{}: expected a whole number, not '{}'", name, invocation.value(name)));
  }
  return static_cast<uint64_t>(value);
}

std::string about(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.1f} hours", seconds / 3600);
  if (seconds >= 120) return fmt::format("{:.1f} minutes", seconds / 60);
  return fmt::format("{:.1f} s", seconds);
}

}  // namespace

std::vector<LocalOption> plan_corpus_options() {
  return {essential({"--text-bytes", "N", "Run over N documents", "average size of a text, for --documents of a run (1 to 256e6) [1000]"})};
}

bool asks_for_corpus(const Invocation& invocation) {
  if (invocation.has("text-bytes")) return true;
  return invocation.has("documents") && std::ranges::any_of(option_table(), [&](const OptionRow& row) {
           // --max-distance means that an index of fingerprints is asked for, whose option is --distance.
           return takes(plan_command(), row) && row.name != "max_distance" && invocation.has(dashed(row.name));
         });
}

CorpusCosts corpus_costs(const Invocation& invocation, const RunPlan& plan) {
  if (!invocation.has("documents")) throw Error(ErrorCode::kUsage, "--documents N is missing: how many documents the run reads");
  if (plan.fingerprint_bits > 0) {
    throw Error(ErrorCode::kUsage, fmt::format("--documents: recipe '{}' makes fingerprints; plan their index with --documents, --bits and "
                                               "--distance alone",
                                               plan.recipe.name));
  }
  if (plan.bands == 0)
    throw Error(ErrorCode::kUsage, "--documents: the cost of --search exact depends on the texts; only lsh can be planned");
  CorpusCosts answer;
  answer.corpus.documents = whole(invocation, "documents", 0, kMaxCorpus);
  answer.corpus.text_bytes = whole(invocation, "text-bytes", kDefaultTextBytes, kMaxTextBytes);
  answer.costs = predict_run(invocation.options, plan, answer.corpus, RunSpeed::measured(plan.recipe, answer.corpus.text_bytes));
  return answer;
}

std::string corpus_text(const CorpusCosts& answer, const RunPlan& plan) {
  const RunPrediction& costs = answer.costs;
  std::string text =
      fmt::format("\na run over {}, {} of text each, with {} and --memory {}\n", counted(answer.corpus.documents, "document"),
                  counted(answer.corpus.text_bytes, "byte"), counted(plan.threads, "thread"), data_size(plan.memory_bytes));
  const auto row = [&](std::string_view name, const std::string& value) { text += fmt::format("  {:<22}{}\n", name, value); };
  row("private memory", data_size(costs.memory_bytes));
  row("temporary files", "at most " + data_size(costs.temporary_bytes));
  row("checkpoint directory", fmt::format("at most {}, with --work; {} of it to explain and report the run, if ids have 16 bytes",
                                          data_size(costs.checkpoint_bytes + costs.record_bytes), data_size(costs.record_bytes)));
  row("time", fmt::format("{} to {}; with --work up to {}", about(costs.sketch_seconds + costs.group_seconds), about(costs.seconds()),
                          about(costs.seconds() + costs.checkpoint_seconds)));
  row("  sketch and output", about(costs.sketch_seconds));
  row("  group", about(costs.group_seconds));
  row("  features", "at most " + about(costs.features_seconds));
  row("  temporary files", fmt::format("at most {}, at 1 GB/s", about(costs.disk_seconds)));
  row("  checkpoints", fmt::format("at most {}, with --work: written and synced, at 1 GB/s", about(costs.checkpoint_seconds)));
  text += "\n  if any two documents have    pairs that share a band    of these read again\n";
  for (const RunPrediction::FalseCandidates& candidates : costs.false_candidates) {
    text += fmt::format("  {:>26.2f}    {:>23}    {:>19}\n", candidates.similarity, rounded(candidates.proposed), rounded(candidates.read));
  }
  text +=
      "\nTimes are those of this machine, measured with made-up English text as JSON Lines. Upper bounds are those of a corpus in which\n"
      "every document has candidates. Unrelated texts have a similarity near 0; texts of one template have more.\n";
  return text;
}

std::string corpus_json(const CorpusCosts& answer, const RunPlan& plan) {
  const RunPrediction& costs = answer.costs;
  std::string candidates;
  for (const RunPrediction::FalseCandidates& row : costs.false_candidates) {
    candidates += fmt::format(R"({}{{"similarity":{},"share_a_band":{:.6g},"read":{:.6g}}})", candidates.empty() ? "" : ",", row.similarity,
                              row.proposed, row.read);
  }
  return fmt::format(
      R"("corpus":{{"documents":{},"text_bytes":{},"threads":{},"memory_budget":{},"memory_bytes":{},"temporary_bytes":{},)"
      R"("checkpoint_bytes":{},"record_bytes":{},"seconds":{:.6g},"sketch_seconds":{:.6g},"group_seconds":{:.6g},"features_seconds":{:.6g},)"
      R"("disk_seconds":{:.6g},"checkpoint_seconds":{:.6g},)"
      R"("false_candidates":[{}]}})",
      answer.corpus.documents, answer.corpus.text_bytes, plan.threads, plan.memory_bytes, costs.memory_bytes, costs.temporary_bytes,
      costs.checkpoint_bytes, costs.record_bytes, costs.seconds(), costs.sketch_seconds, costs.group_seconds, costs.features_seconds,
      costs.disk_seconds, costs.checkpoint_seconds, candidates);
}

}  // namespace neardup::cli
