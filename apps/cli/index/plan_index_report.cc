#include "cli/index/plan_index_report.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/text_format.h"

namespace neardup::cli {
namespace {

// Two or three significant digits, without exponents where people read numbers.
std::string rounded(double value) {
  if (value >= 1e15) return fmt::format("{:.1e}", value);
  if (value >= 100) return grouped(static_cast<uint64_t>(std::llround(value)));
  return fmt::format("{:.2g}", value);
}

std::string duration(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.1f} hours", seconds / 3600);
  if (seconds >= 120) return fmt::format("{:.1f} minutes", seconds / 60);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

}  // namespace

IndexAnswer answer_of(const IndexQuestion& question, const MachineSpeed& speed) {
  const HammingStatistics statistics = HammingStatistics::uniform(question.bits, question.documents);
  HammingPlan plan = plan_hamming(statistics, question.distance, question.budget);
  const HammingPrediction costs = predict_hamming(plan, statistics, speed);
  return {std::move(plan), costs};
}

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
  const auto row = [&](std::string_view name, const std::string& value) { text += fmt::format("{:<14}{}\n", name, value); };
  row("size", fmt::format("{}, {:.1f} bytes a fingerprint with its id", data_size(costs.bytes), costs.bytes_per_code));
  row("build", duration(costs.build_seconds));
  row("a query", fmt::format("{}, {} in batches, compares with {} fingerprints", duration(costs.query_ns / 1e9),
                             duration(costs.batched_query_ns / 1e9), rounded(costs.candidates)));
  row("a flat scan", duration(costs.flat_query_ns / 1e9));
  row("self-join", duration(costs.self_join_seconds));
  row("strangers", fmt::format("{} a query, {} pairs in the self-join: random fingerprints within the distance",
                               rounded(costs.strangers_per_query), rounded(costs.strangers_in_self_join)));
  text += fmt::format("\nTimes are predictions for one core {}.\n",
                      measured ? "of this machine" : "of a 2.5 GHz Xeon whose memory answers in 170 ns; --measure: of this machine");
  text += "Fingerprints that are not as random as that, or have many neighbours, take longer.\n";
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

}  // namespace neardup::cli
