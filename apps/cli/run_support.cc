#include "cli/run_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/check_invocation.h"
#include "cli/interrupt.h"
#include "cli/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {

std::vector<LocalOption> with_run_options(std::vector<LocalOption> options) {
  constexpr std::string_view kReport = "Report";
  const std::vector<LocalOption> common{
      {"--rejects", "FILE", "Outputs", "unreadable records, unchanged", false, kReportEndings},
      {"--summary", "FILE", kReport, "the summary as JSON", false, kReportEndings},
      {"--metrics", "FILE", kReport, "progress in Prometheus text format, once a second"},
      {"--log-format", "text|json", kReport, "messages as text, or as one JSON object per line [text]"},
      {"-q,--quiet", "", kReport, "print only errors"},
  };
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

void check_database_options(const Invocation& invocation) {
  std::vector<std::string> inputs = invocation.arguments;
  for (const std::string& against : invocation.values("against")) inputs.push_back(against);
  const bool reads = std::ranges::any_of(inputs, is_uri);
  constexpr std::string_view kOutputs[] = {"output", "removed", "verdicts", "annotate"};
  const bool writes = std::ranges::any_of(kOutputs, [&](std::string_view name) { return is_uri(invocation.value(name)); });
  if (!invocation.options.where.empty() && !reads) {
    throw Error(ErrorCode::kUsage, "--where selects rows of a database, and no input is one");
  }
  if (!invocation.options.key.empty() && !reads && !writes) {
    throw Error(ErrorCode::kUsage, "--key names the key of a table in a database, and neither an input nor an output is one");
  }
  for (const std::string_view name : {"append", "replace"}) {
    if (!invocation.has(name) || writes || invocation.has("dry-run")) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{} requires an output table or collection; files are always replaced", name));
  }
}

uint64_t local_number(const Invocation& invocation, std::string_view name, uint64_t otherwise, uint64_t least, uint64_t most) {
  if (!invocation.has(name)) return otherwise;
  const std::string text = invocation.value(name);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return value;
  throw Error(ErrorCode::kUsage, fmt::format("--{}: expected {} to {}, not '{}'", name, least, most, text));
}

std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use) {
  using Checks = SourceOptions::FieldChecks;
  SourceOptions source_options;
  source_options.warn = [&reporter](const std::string& message) { reporter.warning(message); };
  source_options.once = use.once;
  source_options.exact_types = use.exact_types;
  source_options.field_checks = options.max_rejects.accepts_all() ? Checks::kNone : use.reference ? Checks::kText : Checks::kAll;
  source_options.required_fields = copied_fields(use.copied_fields);
  source_options.format = options.format;
  source_options.text_field = options.text_field;
  source_options.id_field = options.id_field;
  source_options.where = options.where;
  source_options.key = options.key;
  source_options.charset = options.charset;
  source_options.duckdb_library = options.duckdb_library;
  source_options.memory = plan.memory_bytes;
  source_options.rank_field = plan.rank_field;
  source_options.max_record_bytes = options.max_record_bytes;
  source_options.temp_dir = options.temp_dir;
  return open_source(inputs, source_options);
}

std::string recipe_label(const Recipe& recipe) {
  return fmt::format("{} ({:016x})", recipe.name, recipe.id());
}

std::string search_label(const Options& options, const RunPlan& plan) {
  const std::string codes = plan.fingerprint_bits == 0
                                ? ""
                                : fmt::format("fingerprints of {} bits, distance at most {}", plan.fingerprint_bits, plan.max_distance);
  if (plan.bands == 0) return codes.empty() ? "exact" : codes;
  return fmt::format("LSH: {} of {}, expected to miss {} of pairs at exactly the threshold{}", counted(plan.bands, "band"),
                     counted(plan.rows_per_band, "row"), percent(plan.miss_probability(options.threshold.value())),
                     codes.empty() ? "" : ", and " + codes);
}

std::string threshold_label(const Options& options, const RunPlan& plan) {
  const bool distance =
      plan.fingerprint_bits > 0 && plan.bands == 0 && (options.verify == Verify::kTrue || options.verify == Verify::kFalse);
  return distance ? "" : fmt::format("threshold {}, ", options.threshold.value());
}

std::string search_json(const Options& options, const RunPlan& plan) {
  return fmt::format(R"("threshold":{},"bands":{},"rows_per_band":{},"predicted_miss":{:.6g},"fingerprint_bits":{},"max_distance":{})",
                     options.threshold.value(), plan.bands, plan.rows_per_band, plan.miss_probability(options.threshold.value()),
                     plan.fingerprint_bits, plan.max_distance);
}

std::string machine_label(const RunPlan& plan, const DocumentSource& source) {
  const uint64_t bytes = source.input_bytes();
  return fmt::format("{}, {}{}", counted(plan.threads, "thread"), counted(source.source_count(), "input"),
                     bytes > 0 ? ", " + data_size(bytes) : "");
}

std::string machine_json(const RunPlan& plan, const DocumentSource& source) {
  return fmt::format(R"("threads":{},"inputs":{},"input_bytes":{})", plan.threads, source.source_count(), source.input_bytes());
}

int run_map(const Invocation& given, Reporter& reporter, const std::string& what,
            const std::function<Summary(const Options&, const MapRun&)>& job) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  Outputs outputs(invocation, {"output"});
  outputs.check(*source);
  const auto sink = make_piece_sink(outputs.path("output"));
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  const auto start = [&] {
    reporter.start(fmt::format("{}, {}", what, machine_label(plan, *source)),
                   fmt::format(R"("what":{},{})", json_quote(what), machine_json(plan, *source)));
  };
  // A small result on the terminal should not be followed by five lines about it.
  constexpr uint64_t kFewBytes = 1 << 16;
  const bool watched = invocation.has("metrics") || invocation.has("summary") || invocation.has("log-format");
  bool started = watched || outputs.path("output") != "-" || source->input_bytes() > kFewBytes;
  if (started) start();
  MapRun run;
  run.source = source.get();
  run.sink = sink.get();
  run.rejects = rejects.get();
  run.max_rejects = options.max_rejects;
  run.progress = [&](const Progress& progress) {
    if (!started && progress.bytes_done > kFewBytes) {
      start();
      started = true;
    }
    if (started) reporter.progress(progress);
  };
  run.stop = interrupted;
  const Summary summary = job(options, run);
  if (!started && summary.read == 1 && summary.rejected == 0 && summary.warnings.empty()) return kExitOk;
  if (!started) start();
  return outputs.finish(summary, reporter);
}

Outputs::Outputs(const Invocation& invocation, std::initializer_list<std::string_view> names)
    : invocation_(invocation), dry_run_(invocation.has("dry-run")) {
  for (const std::string_view name : names) {
    if (has(name)) written_.push_back(path(name));
  }
  for (const std::string_view name : {"rejects", "summary"}) {
    if (has(name)) written_.push_back(path(name));
  }
}

std::vector<std::string> Outputs::named() const {
  std::vector<std::string> all = written_;
  if (invocation_.has("metrics")) all.push_back(invocation_.value("metrics"));
  return all;
}

void Outputs::check(const DocumentSource& source) {
  check_outputs(named(), source);
  if (has("summary")) summary_.emplace(path("summary"));
}

void Outputs::check(const std::vector<std::string>& inputs) {
  check_outputs(named(), inputs);
  if (has("summary")) summary_.emplace(path("summary"));
}

void Outputs::remove_leftovers() const {
  for (const std::string& path : written_) remove_partial_outputs(path);
}

int Outputs::finish(const Summary& summary, Reporter& reporter) {
  reporter.count(summary);
  return finish({.text = summary.to_text(), .json = summary.to_json(), .warnings = summary.warnings},
                summary.rejected + summary.reference_rejected, reporter);
}

int Outputs::finish(const RunReport& report, uint64_t rejected, Reporter& reporter) {
  if (summary_) summary_->write(report.json + "\n");
  std::vector<std::string> shown;
  shown.reserve(written_.size());
  for (const std::string& output : written_) shown.push_back(shown_output(output));
  reporter.finish(report, shown, dry_run_);
  if (!invocation_.options.strict || rejected == 0) return kExitOk;
  reporter.error(fmt::format("{} rejected (--strict); the outputs were written without {}",
                             counted(rejected, "record") + (rejected == 1 ? " was" : " were"), rejected == 1 ? "it" : "them"));
  return kExitRejects;
}

}  // namespace neardup::cli
