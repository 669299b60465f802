#include "cli/run/labels.h"

#include <fmt/format.h>

#include "cli/terminal/text_format.h"
#include "neardup/tools/input_kinds.h"

namespace neardup::cli {

std::string recipe_label(const Recipe& recipe) {
  return fmt::format("{} ({:016x})", recipe.name, recipe.id());
}

std::string search_label(const Options& options, const RunPlan& plan) {
  const std::string codes = plan.fingerprint_bits == 0
                                ? ""
                                : fmt::format("fingerprints of {} bits, distance at most {}", plan.fingerprint_bits, plan.max_distance);
  if (plan.sample_features > 0) {
    std::string text = fmt::format("by samples of {}, exact", counted(plan.sample_features, "feature"));
    if (plan.sample_miss > 0) {
      text += fmt::format(" for texts of up to {}, for larger ones expected to miss {:.6f} % of pairs at exactly the threshold",
                          counted(plan.sample_certain, "feature"), 100 * plan.sample_miss);
    }
    return text;
  }
  if (options.measure == Measure::kContainment) return "exact";
  if (plan.bands == 0) return codes.empty() ? "exact" : codes;
  return fmt::format("LSH: {} of {}, expected to miss {} of pairs {}{}", counted(plan.bands, "band"), counted(plan.rows_per_band, "row"),
                     percent(plan.miss_probability(options.threshold.value())),
                     options.weighs_features() ? "whose Jaccard similarity without weights is the threshold" : "at exactly the threshold",
                     codes.empty() ? "" : ", and " + codes);
}

std::string threshold_label(const Options& options, const RunPlan& plan) {
  const bool distance =
      plan.fingerprint_bits > 0 && plan.bands == 0 && (options.verify == Verify::kTrue || options.verify == Verify::kFalse);
  const std::string_view measure = options.measure == Measure::kContainment     ? "containment"
                                   : options.verify == Verify::kCosine          ? "cosine"
                                   : options.verify == Verify::kWeightedJaccard ? "weighted Jaccard similarity"
                                                                                : "threshold";
  return distance ? "" : fmt::format("{} {}, ", measure, options.threshold.value());
}

std::string keep_label(const Options& options) {
  if (options.keep != "auto") return options.keep;
  return options.measure == Measure::kContainment ? "most features" : "first";
}

std::string search_json(const Options& options, const RunPlan& plan) {
  return fmt::format(
      R"("threshold":{},"measure":"{}","bands":{},"rows_per_band":{},"predicted_miss":{:.6g},"fingerprint_bits":{},"max_distance":{})",
      options.threshold.value(), plan.measure, plan.bands, plan.rows_per_band,
      plan.sample_features > 0 ? plan.sample_miss : plan.miss_probability(options.threshold.value()), plan.fingerprint_bits,
      plan.max_distance);
}

std::string memory_label(const Options& options, const RunPlan& plan) {
  return fmt::format("memory {}", options.memory != 0 ? format_bytes_exactly(options.memory) : data_size(plan.memory_bytes));
}

std::string inputs_label(const DocumentSource& source, uint32_t first) {
  const std::vector<KindCount> counts = kind_counts(source, first);
  std::string kinds;
  for (const KindCount& kind : counts) {
    const std::string number = counts.size() == 1 ? "" : grouped(kind.inputs) + " ";
    kinds += fmt::format("{}{}{}", kinds.empty() ? "" : ", ", number, kind.label);
  }
  return fmt::format("{} ({})", counted(source.source_count() - first, "input"), kinds);
}

std::string inputs_json(const DocumentSource& source, uint32_t first) {
  std::string kinds;
  for (const KindCount& kind : kind_counts(source, first)) {
    kinds += fmt::format(R"({}"{}":{})", kinds.empty() ? "" : ",", kind.name, kind.inputs);
  }
  return fmt::format(R"("inputs":{},"input_kinds":{{{}}})", source.source_count() - first, kinds);
}

std::string machine_label(const RunPlan& plan, const DocumentSource& source) {
  const uint64_t bytes = source.input_bytes();
  return fmt::format("{}, {}{}", counted(plan.threads, "thread"), inputs_label(source), bytes > 0 ? ", " + data_size(bytes) : "");
}

std::string machine_json(const RunPlan& plan, const DocumentSource& source) {
  return fmt::format(R"("threads":{},{},"input_bytes":{})", plan.threads, inputs_json(source), source.input_bytes());
}

}  // namespace neardup::cli
