#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/index/plan_index.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/run/labels.h"
#include "cli/run/plan_corpus.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_prediction.h"

namespace neardup::cli {
namespace {

constexpr int kSteps = 20;  // similarities 0.05 apart

constexpr std::array kSimilarities{0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1.0};
constexpr std::array<uint64_t, 5> kCorpora{1'000'000, 10'000'000, 100'000'000, 1'000'000'000, 10'000'000'000};

// Permutations whose intervals are shown besides those of the recipe.
constexpr std::array<uint32_t, 4> kPermutations{10, 100, 500, 1000};

std::string plan_json(const Options& options, const RunPlan& plan, const std::optional<CorpusCosts>& corpus) {
  std::string found;
  for (int step = 1; step <= kSteps; ++step) {
    const double similarity = static_cast<double>(step) / kSteps;
    const EstimateInterval interval = estimate_interval(similarity, plan.recipe.lanes);
    found += fmt::format(R"({}{{"similarity":{},"missed":{:.6g},"estimate_low":{:.6g},"estimate_high":{:.6g}}})", step == 1 ? "" : ",",
                         similarity, plan.miss_probability(similarity), interval.low, interval.high);
  }
  std::string intervals;
  for (const uint32_t permutations : kPermutations) {
    const EstimateInterval interval = estimate_interval(0.5, permutations);
    intervals += fmt::format(R"({}{{"permutations":{},"similarity":0.5,"low":{:.6g},"high":{:.6g}}})", intervals.empty() ? "" : ",",
                             permutations, interval.low, interval.high);
  }
  const std::string warning = plan_warning(options, plan);
  return fmt::format(
      R"({{"recipe":{},"recipe_id":"{:016x}","lanes":{},{},"miss_probability":{},"planned":{},"search":[{}],"intervals":[{}],{}"warnings":[{}]}})"
      "\n",
      json_quote(plan.recipe.name), plan.recipe.id(), plan.recipe.lanes, search_json(options, plan), options.miss_probability.value(),
      plan.bands > 0 && options.bands == 0, found, intervals, corpus ? corpus_json(*corpus, plan) + "," : "",
      warning.empty() ? "" : json_quote(warning));
}

std::string fingerprint_plan_json(const RunPlan& plan) {
  std::string found;
  for (int step = kSteps / 2; step <= kSteps; ++step) {
    const double similarity = static_cast<double>(step) / kSteps;
    found += fmt::format(R"({}{{"similarity":{},"differing_bits":{:.6g},"matched":{:.6g}}})", found.empty() ? "" : ",", similarity,
                         fingerprint_distance(plan.fingerprint_bits, similarity),
                         fingerprint_recall(plan.fingerprint_bits, plan.max_distance, similarity));
  }
  return fmt::format(R"({{"recipe":{},"recipe_id":"{:016x}","fingerprint_bits":{},"max_distance":{},"chance":{:.6g},"search":[{}]}})"
                     "\n",
                     json_quote(plan.recipe.name), plan.recipe.id(), plan.fingerprint_bits, plan.max_distance,
                     fingerprint_chance(plan.fingerprint_bits, plan.max_distance), found);
}

// What fingerprints find and miss, and how many false candidates to expect.
std::string fingerprint_plan_text(const RunPlan& plan) {
  const uint32_t bits = plan.fingerprint_bits;
  const uint32_t most = plan.max_distance;
  std::string text = fmt::format("fingerprints of {} bits match when at most {} of these differ\n", bits, most);
  text += "The search finds every such pair; it misses similar texts whose fingerprints differ in more bits.\n\n";
  text += "   Jaccard    cosine   bits that differ      match\n";
  for (const double s : kSimilarities) {
    text += fmt::format("{:>10.2f}{:>10.4f}{:>19.1f}{:>9.4f} %\n", s, 2 * s / (1 + s), fingerprint_distance(bits, s),
                        100 * fingerprint_recall(bits, most, s));
  }
  text += "\nFor texts of equal length whose features weigh the same; where weights differ, use the cosine of the weighted features.\n";
  text += "\n         texts   false candidates (pairs) by chance\n";
  const double chance = fingerprint_chance(bits, most);
  for (const uint64_t texts : kCorpora) {
    const auto count = static_cast<double>(texts);
    text += fmt::format("{:>14}   {:>20}\n", grouped(texts), rounded(count * (count - 1) / 2 * chance));
  }
  text +=
      "\nThat is for random fingerprints; texts that share boilerplate are nearer to each other. --verify cosine or jaccard verifies such "
      "pairs.\n";
  return text;
}

int run_plan(const Invocation& invocation, Reporter&) {
  end_by_interrupts();
  const bool for_corpus = asks_for_corpus(invocation);
  if (asks_for_index(invocation, for_corpus)) return plan_index(invocation);
  const Options& options = invocation.options;
  for (const std::string_view machine : {"threads", "memory"}) {
    if (!for_corpus && invocation.has(machine)) {
      throw Error(ErrorCode::kUsage, fmt::format("--{} has no effect here: without --documents, plan predicts no costs", machine));
    }
  }
  const RunPlan plan = plan_run(options);
  check_effects(invocation, &plan, {});
  const std::optional<CorpusCosts> corpus = for_corpus ? std::optional(corpus_costs(invocation, plan)) : std::nullopt;
  if (invocation.has("json")) {
    say("{}", plan.fingerprint_bits > 0 ? fingerprint_plan_json(plan) : plan_json(options, plan, corpus));
    return kExitOk;
  }
  if (plan.fingerprint_bits > 0) {
    say("recipe {}\n{}", recipe_label(plan.recipe), fingerprint_plan_text(plan));
    return kExitOk;
  }
  say("recipe {}, {} lanes, threshold {}\n", recipe_label(plan.recipe), plan.recipe.lanes, options.threshold.value());
  if (plan.bands == 0) {
    say("search exact: nothing is missed\n");
    return kExitOk;
  }
  const bool planned = options.bands == 0;
  say("{} of {}, {} of {} lanes, {}\n\n", counted(plan.bands, "band"), counted(plan.rows_per_band, "row"), plan.bands * plan.rows_per_band,
      plan.recipe.lanes,
      planned ? fmt::format("planned to miss at most {} at the threshold", percent(options.miss_probability.value())) : "as given");
  if (const std::string warning = plan_warning(options, plan); !warning.empty()) say("warning: {}\n\n", warning);
  say("similarity   found by the search                missed   95 % of estimates\n");
  for (int step = 1; step <= kSteps; ++step) {
    const double similarity = static_cast<double>(step) / kSteps;
    const double miss = plan.miss_probability(similarity);
    const EstimateInterval interval = estimate_interval(similarity, plan.recipe.lanes);
    say("{:>10.2f}   {:>18.4f} %   {:>18}      {:.3f} to {:.3f}{}\n", similarity, 100 * (1 - miss), percent(miss), interval.low,
        interval.high,
        similarity + 1e-9 >= options.threshold.value() && similarity - 1.0 / kSteps + 1e-9 < options.threshold.value() ? "   <- threshold"
                                                                                                                       : "");
  }
  say("\nBelow the threshold \"found\" is work for the verification, not an error: candidates below the threshold are rejected.\n");
  say("Both are averages over hash seeds. Misses of one cluster are correlated: one run can miss several times the average, or nothing.\n");
  say("\nA similarity of 0.5, estimated from n permutations, lies in 95 % of the cases between\n");
  for (const uint32_t permutations : kPermutations) {
    const EstimateInterval interval = estimate_interval(0.5, permutations);
    say("{:>10}   {:.3f} and {:.3f}\n", grouped(permutations), interval.low, interval.high);
  }
  if (corpus) say("{}", corpus_text(*corpus, plan));
  return kExitOk;
}

std::vector<LocalOption> plan_options() {
  std::vector<LocalOption> options = plan_index_options();
  const std::vector<LocalOption> of_corpus = plan_corpus_options();
  options.insert(options.begin() + 1, of_corpus.begin(), of_corpus.end());
  return options;
}

}  // namespace

const Command& plan_command() {
  static const Command command{
      .name = "plan",
      .sentence = "show what the search of a recipe finds and misses, and what N documents or fingerprints cost",
      .usage = "[options]",
      .examples =
          "neardup plan --threshold 0.7\n"
          "neardup plan --threshold 0.8 --miss-probability 0.0001\n"
          "neardup plan --bands 20 --rows-per-band 6\n"
          "neardup plan --recipe words-5 --documents 5e7 --text-bytes 2000\n"
          "neardup plan --recipe simhash-words-3 --max-distance 6\n"
          "neardup plan --bits 64 --distance 3 --documents 1e9",
      .options = plan_options(),
      .run = run_plan,
  };
  return command;
}

}  // namespace neardup::cli
