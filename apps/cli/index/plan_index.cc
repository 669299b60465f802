#include "cli/index/plan_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "cli/commands/commands.h"
#include "cli/options/local_options.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_prediction.h"

namespace neardup::cli {
namespace {

constexpr double kMaxDocuments = 1e12;
constexpr double kDefaultBudgetMs = 10;
constexpr double kDefaultJoinHours = 24;

struct IndexQuestion {
  uint64_t documents = 0;
  uint32_t bits = 64;
  uint32_t distance = 3;
  HammingPlanBudget budget;
};

struct IndexAnswer {
  HammingPlan plan;
  HammingPrediction costs;
};

IndexQuestion question_of(const Invocation& invocation) {
  IndexQuestion question;
  if (!invocation.has("documents")) throw Error(ErrorCode::kUsage, "--documents N is missing: how many fingerprints the index is for");
  const double documents = local_amount(invocation, "documents", 0, 1, kMaxDocuments);
  if (documents != std::floor(documents)) {
    throw Error(ErrorCode::kUsage, fmt::format("--documents: expected a whole number, not '{}'", invocation.value("documents")));
  }
  question.documents = static_cast<uint64_t>(documents);
  question.bits = static_cast<uint32_t>(local_number(invocation, "bits", 64, 64, 128));
  if (question.bits != 64 && question.bits != 128) {
    throw Error(ErrorCode::kUsage, fmt::format("--bits: expected 64 or 128, not '{}'", question.bits));
  }
  question.distance = static_cast<uint32_t>(local_number(invocation, "distance", 3, 0, question.bits));
  const std::string use = invocation.value("for", "query");
  if (use != "query" && use != "self-join") {
    throw Error(ErrorCode::kUsage, fmt::format("--for: expected query or self-join, not '{}'", use));
  }
  question.budget.use = use == "query" ? HammingUse::kQuery : HammingUse::kSelfJoin;
  question.budget.bytes_per_code = local_amount(invocation, "bytes-per-code", 0, 1, 10'000);
  return question;
}

std::string duration(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.1f} hours", seconds / 3600);
  if (seconds >= 120) return fmt::format("{:.1f} minutes", seconds / 60);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

// Assumes uniform fingerprints, as from a good hash.
IndexAnswer answer_of(const IndexQuestion& question, const MachineSpeed& speed) {
  const HammingStatistics statistics = HammingStatistics::uniform(question.bits, question.documents);
  HammingPlan plan = plan_hamming(statistics, question.distance, question.budget);
  const HammingPrediction costs = predict_hamming(plan, statistics, speed);
  return {std::move(plan), costs};
}

// "1.7 us a query", or "3.1 minutes for all pairs".
std::string work_text(const IndexAnswer& answer, const IndexQuestion& question) {
  if (question.budget.use == HammingUse::kQuery) return duration(answer.costs.query_ns / 1e9) + " a query";
  return duration(answer.costs.self_join_seconds) + " for all pairs";
}

std::string index_text(const IndexQuestion& question, const IndexAnswer& answer, bool measured) {
  const HammingPrediction& costs = answer.costs;
  std::string text = fmt::format(
      "{} fingerprints of {} bits, all within distance {}: {}\n\n", grouped(question.documents), question.bits, question.distance,
      costs.tables == 0 ? "no tables, a query compares with every code"
                        : fmt::format("{}, {} buckets a query", counted(costs.tables, "table"), grouped(costs.probes)));
  if (costs.tables > 0) text += "     table   bits   flips\n";
  for (size_t t = 0; t < answer.plan.blocks.size(); ++t) {
    text += fmt::format("{:>10}{:>7}{:>8}\n", t + 1, answer.plan.blocks[t].width, answer.plan.blocks[t].flips);
  }
  if (costs.tables > 0) text += '\n';
  const auto row = [&](std::string_view name, const std::string& value) { text += fmt::format("{:<18}{}\n", name, value); };
  row("size", fmt::format("{}, {:.1f} bytes a fingerprint with its id", data_size(costs.bytes), costs.bytes_per_code));
  row("build", duration(costs.build_seconds));
  row("a query", fmt::format("{}, {} in batches, compares with {} fingerprints", duration(costs.query_ns / 1e9),
                             duration(costs.batched_query_ns / 1e9), rounded(costs.candidates)));
  row("a flat scan", duration(costs.flat_query_ns / 1e9));
  row("self-join", duration(costs.self_join_seconds));
  row("false candidates", fmt::format("{} a query, {} pairs in the self-join: random fingerprints within the distance",
                                      rounded(costs.strangers_per_query), rounded(costs.strangers_in_self_join)));
  text += fmt::format("\nTimes are predictions for one core {}.\n",
                      measured ? "of this machine" : "of a 2.5 GHz Xeon with a memory latency of 170 ns; --measure: of this machine");
  text += "Less random fingerprints, or those with many neighbours, take longer.\n";
  return text;
}

std::string index_json(const IndexQuestion& question, const IndexAnswer& answer) {
  const HammingPrediction& costs = answer.costs;
  std::string tables;
  for (const HammingBlock& block : answer.plan.blocks) {
    tables += fmt::format("{}{{\"bits\":{},\"flips\":{}}}", tables.empty() ? "" : ",", block.width, block.flips);
  }
  return fmt::format(
      "{{\"documents\":{},\"bits\":{},\"distance\":{},\"tables\":[{}],\"buckets_per_query\":{},\"bytes\":{},\"bytes_per_code\":{:.2f},"
      "\"candidates_per_query\":{:.6g},\"query_us\":{:.6g},\"batched_query_us\":{:.6g},\"flat_query_us\":{:.6g},\"build_seconds\":{:.6g},"
      "\"self_join_seconds\":{:.6g},\"strangers_per_query\":{:.6g},\"strangers_in_self_join\":{:.6g}}}\n",
      question.documents, question.bits, question.distance, tables, costs.probes, costs.bytes, costs.bytes_per_code, costs.candidates,
      costs.query_ns / 1e3, costs.batched_query_ns / 1e3, costs.flat_query_ns / 1e3, costs.build_seconds, costs.self_join_seconds,
      costs.strangers_per_query, costs.strangers_in_self_join);
}

struct TimeLimit {
  double query_ms = 0;
  double join_hours = 0;
};

bool fits(const IndexAnswer& answer, const IndexQuestion& question, const TimeLimit& limit) {
  return question.budget.use == HammingUse::kQuery ? answer.costs.query_ns <= limit.query_ms * 1e6
                                                   : answer.costs.self_join_seconds <= limit.join_hours * 3600;
}

// Alternatives within the limit.
std::string better(const IndexQuestion& question, const MachineSpeed& speed, const TimeLimit& limit) {
  std::string text;
  const auto add = [&](const std::string& way) { text += text.empty() ? way : ", or " + way; };
  for (uint32_t distance = question.distance; distance-- > 0;) {
    IndexQuestion nearer = question;
    nearer.distance = distance;
    const IndexAnswer answer = answer_of(nearer, speed);
    if (!fits(answer, nearer, limit)) continue;
    add(fmt::format("distance {} ({})", distance, work_text(answer, nearer)));
    break;
  }
  for (const double bytes : {50.0, 100.0, 200.0}) {
    IndexQuestion larger = question;
    larger.budget.bytes_per_code = bytes;
    const IndexAnswer answer = answer_of(larger, speed);
    if (bytes <= question.budget.bytes_per_code || !fits(answer, larger, limit)) continue;
    add(fmt::format("--bytes-per-code {} ({})", bytes, work_text(answer, larger)));
    break;
  }
  if (question.bits == 64) {
    IndexQuestion longer = question;
    longer.bits = 128;
    longer.distance *= 2;  // the same texts have twice the distance
    const IndexAnswer answer = answer_of(longer, speed);
    if (fits(answer, longer, limit))
      add(fmt::format("fingerprints of 128 bits with distance {} ({})", longer.distance, work_text(answer, longer)));
  }
  add("a MinHash recipe, whose bands find texts that are less alike");
  return text;
}

// The options of a run say nothing about an index of random fingerprints.
void refuse_run_options(const Invocation& invocation) {
  for (const OptionRow& row : option_table()) {
    const std::string name = dashed(row.name);
    if (!takes(plan_command(), row) || !invocation.has(name)) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{} has no effect here: with --documents, plan is about an index of random fingerprints{}",
                                               name, row.name == "max_distance" ? "; use --distance" : ""));
  }
}

}  // namespace

std::vector<LocalOption> plan_index_options() {
  constexpr std::string_view kGroup = "Index for N fingerprints";
  return {essential({"--documents", "N", kGroup,
                     "plan the Hamming index of N fingerprints, such as 50000000 or 1e9 (1 to 1e12); with --recipe or another option of a "
                     "run: that run"}),
          essential({"--bits", "64|128", kGroup, "bits of a fingerprint [64]"}),
          essential({"--distance", "K", kGroup, "the largest distance of a query (0 to --bits) [3]"}),
          {"--for", "query|self-join", kGroup, "make fast: single queries, or building and finding all pairs [query]"},
          {"--bytes-per-code", "N", kGroup, "maximum size of the index, ids included (1 to 10000) [30; 100 for 128 bits]"},
          {"--budget", "MS", kGroup, "refuse a query that takes longer on one core, and print a better plan [10]"},
          {"--join-budget", "HOURS", kGroup, "the same for the self-join, with --for self-join [24]"},
          {"--measure", "", kGroup, "predict for this machine, measured in half a second, instead of a 2.5 GHz Xeon"},
          essential({"--json", "", kGroup, "print JSON"})};
}

bool asks_for_index(const Invocation& invocation, bool asks_for_corpus) {
  return std::ranges::any_of(plan_index_options(), [&](const LocalOption& option) {
    const std::string_view name = option.flags.substr(2);
    return name != "json" && !(name == "documents" && asks_for_corpus) && invocation.has(name);
  });
}

int plan_index(const Invocation& invocation) {
  const IndexQuestion question = question_of(invocation);
  refuse_run_options(invocation);
  const TimeLimit limit{local_amount(invocation, "budget", kDefaultBudgetMs, 1e-6, 1e9),
                        local_amount(invocation, "join-budget", kDefaultJoinHours, 1e-6, 1e6)};
  const bool measured = invocation.has("measure");
  const MachineSpeed speed = measured ? MachineSpeed::measured() : MachineSpeed{};
  const IndexAnswer answer = answer_of(question, speed);
  if (!fits(answer, question, limit)) {
    const std::string most = question.budget.use == HammingUse::kQuery ? fmt::format("--budget {} ms", limit.query_ms)
                                                                       : fmt::format("--join-budget {} hours", limit.join_hours);
    throw Error(
        ErrorCode::kUsage,
        fmt::format("distance {} among {} fingerprints of {} bits takes {} on one core, more than {}; better: {}", question.distance,
                    grouped(question.documents), question.bits, work_text(answer, question), most, better(question, speed, limit)));
  }
  if (invocation.has("json")) {
    say_json(index_json(question, answer));
  } else {
    say("{}", index_text(question, answer, measured));
  }
  return kExitOk;
}

}  // namespace neardup::cli
