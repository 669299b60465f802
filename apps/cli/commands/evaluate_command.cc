#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/dedup_work.h"
#include "cli/evaluate/score_page.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/options/parse.h"
#include "cli/run/finished_run.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/stored_run.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/pairs.h"
#include "neardup/tools/neighbour_sample.h"
#include "neardup/tools/result_file.h"
#include "neardup/tools/run_command.h"
#include "neardup/tools/run_record.h"
#include "neardup/tools/truth_files.h"

namespace neardup::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTruths{
    {{"truth-pairs", "pairs"}, {"truth-clusters", "clusters"}, {"label-field", "field"}, {"sample", "sample"}}};

// The option that names the truth, and its name in reports.
std::pair<std::string_view, std::string_view> given_truth(const Invocation& invocation) {
  std::optional<std::pair<std::string_view, std::string_view>> found;
  for (const auto& truth : kTruths) {
    if (!invocation.has(truth.first)) continue;
    if (found)
      throw Error(ErrorCode::kUsage, fmt::format("--{} and --{} cannot be combined: there is one truth", found->first, truth.first));
    found = truth;
  }
  if (!found) {
    throw Error(ErrorCode::kUsage, "no truth is given: --truth-pairs FILE, --truth-clusters FILE, --label-field FIELD, or --sample N");
  }
  return *found;
}

// What is judged: decisions, and for a truth that needs texts the source they were made from.
class Judge {
 public:
  Judge(const Invocation& invocation, Reporter& reporter)
      : invocation_(invocation), reporter_(reporter), truth_option_(given_truth(invocation).first) {
    page_.truth = given_truth(invocation).second;
  }

  [[nodiscard]] bool by(std::string_view option) const { return truth_option_ == option; }
  [[nodiscard]] std::string label_field() const { return invocation_.value("label-field"); }

  // The members of every job.
  template <typename Job>
  [[nodiscard]] Job job(DocumentSource& source) const {
    Job made;
    made.source = &source;
    made.progress = [this](const Progress& progress) { reporter_.progress(progress); };
    made.stop = interrupted;
    return made;
  }

  // `source`: what was judged, null for a verdict file. Of a sweep, all settings judge the same documents, so the truth is read once.
  void add(Setting setting, const DecisionTable& table, const Options& options, const RunPlan* plan, DocumentSource* source,
           uint32_t reference_sources) {
    if (table.size() == 0) throw Error(ErrorCode::kInput, "there are no documents to judge");
    Judged judged{.setting = std::move(setting),
                  .documents = table.size(),
                  .removed = table.removed(),
                  .scores = {},
                  .neighbours = {},
                  .pairs = {},
                  .missed = {}};
    if (by("sample")) {
      judged.neighbours = sampled(table, options, *source, reference_sources);
    } else {
      if (!truth_) read_truth(table, source);
      judged.scores = evaluate(table, *truth_);
    }
    // In components a chain of pairs connects a document to its keeper, maybe none of the two themselves.
    if (plan != nullptr && searches_by_bands(options, *plan) && options.cluster == Cluster::kScan) {
      judged.missed = estimate_missed_keepers(table, plan->bands, plan->rows_per_band);
    }
    if (invocation_.has("pairs")) judged.pairs = listed(table, options, *plan, *source);
    page_.judged.push_back(std::move(judged));
  }

  int finish(ResultFile* output) {
    warn();
    if (output != nullptr) output->write(page_.to_table());
    if (invocation_.has("json")) {
      say_json(page_.to_json());
    } else {
      say("{}", page_.to_text());
    }
    return kExitOk;
  }

 private:
  // Pairs of the search have a Jaccard similarity by which the bands found them.
  static bool searches_by_bands(const Options& options, const RunPlan& plan) {
    return plan.bands > 0 && options.measure == Measure::kJaccard && plan.fingerprint_bits == 0 &&
           (options.verify == Verify::kTrue || options.verify == Verify::kJaccard);
  }

  void read_truth(const DecisionTable& table, DocumentSource* source) {
    Truth truth(table);
    const std::string value = invocation_.value(truth_option_);
    if (by("truth-pairs")) {
      read_truth_pairs(value, table, truth);
    } else if (by("truth-clusters")) {
      read_truth_clusters(value, table, truth);
    } else {
      read_truth_field(job<RunHooks>(*source), invocation_.options.threads, value, table, truth);
    }
    truth.finish();
    truth_ = std::move(truth);
  }

  NeighbourScores sampled(const DecisionTable& table, const Options& options, DocumentSource& source, uint32_t reference_sources) const {
    auto run = job<NeighbourRun>(source);
    run.sample = static_cast<uint32_t>(local_number(invocation_, "sample", 0, 1, 1'000'000));
    run.seed = local_number(invocation_, "seed", 1, 0, std::numeric_limits<uint64_t>::max());
    run.reference_sources = reference_sources;
    NeighbourScorer scorer(table);
    const auto sample = for_each_neighbour(options, run, [&](const Neighbour& neighbour) { scorer.add(neighbour); });
    return scorer.result(sample);
  }

  PairEvaluation listed(const DecisionTable& table, const Options& options, const RunPlan& plan, DocumentSource& source) const {
    const bool bands = searches_by_bands(options, plan);
    PairScorer scorer(table, truth_ ? &*truth_ : nullptr, bands ? plan.bands : 0, bands ? plan.rows_per_band : 0);
    auto run = job<PairsRun>(source);
    run.sink = &scorer;
    pairs(options, run);
    return scorer.result();
  }

  void warn() {
    if (page_.judged.empty() || !page_.judged.front().scores) return;
    const Evaluation& scores = *page_.judged.front().scores;
    if (scores.unknown_rows > 0) {
      const bool one = scores.unknown_rows == 1;
      reporter_.warning(fmt::format("--{}: {} of the truth {} no document of the corpus, and {} left out", truth_option_,
                                    counted(scores.unknown_rows, "row"), one ? "names" : "name", one ? "is" : "are"));
    }
    if (scores.repeated_names > 0 && !by("label-field")) {
      reporter_.warning(fmt::format("{} an id that an earlier one has; the truth means the earlier one",
                                    counted(scores.repeated_names, "document") + (scores.repeated_names == 1 ? " has" : " have")));
    }
  }

  const Invocation& invocation_;
  Reporter& reporter_;
  const std::string_view truth_option_;
  std::optional<Truth> truth_;
  ScorePage page_;
};

// Options of a run have no effect on one that is finished.
void refuse_run_options(const Invocation& invocation, std::string_view what, std::initializer_list<std::string_view> allowed) {
  for (const OptionRow& row : option_table()) {
    const std::string name = dashed(row.name);
    if (!invocation.has(name) || std::ranges::find(allowed, name) != allowed.end()) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{} has no effect here: {} was decided before", name, what));
  }
  for (const std::string_view name : {"sweep", "pairs"}) {
    if (!invocation.has(name)) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{} needs the corpus as input, not {}", name, what));
  }
}

void judge_verdicts(const Invocation& invocation, const std::string& path, Judge& judge) {
  refuse_run_options(invocation, "a verdict file", {});
  for (const std::string_view option : {"label-field", "sample"}) {
    if (!judge.by(option)) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("--{} needs the documents, which a verdict file does not have: give the corpus or the checkpoint "
                            "directory of the run",
                            option));
  }
  DecisionTable table;
  read_verdicts(path, table);
  judge.add({}, table, {}, nullptr, nullptr, 0);
}

// The decisions of a finished run, from its record.
DecisionTable decisions_of(const RunRecord& record) {
  DecisionTable table;
  std::string place;
  for (uint64_t number = 0; number < record.size(); ++number) {
    const RunRecord::Entry entry = record.entry(number);
    if (!entry.has_id) place = fmt::format("{}:{}", record.source_name(entry.where.source), entry.where.row);
    table.add({.where = entry.where,
               .name = entry.has_id ? entry.id : std::string_view(place),
               .removed = entry.removed(),
               .keeper = entry.keeper,
               .similarity_millionths = entry.similarity_millionths});
  }
  table.finish();
  return table;
}

// A finished run. Only a truth that needs documents opens its sources; the truth of others is a file, whose path starts here, not where
// the run began.
void judge_run(const Invocation& invocation, const std::string& directory, Judge& judge, Reporter& reporter) {
  refuse_run_options(invocation, "a finished run", {"threads", "memory", "temp-dir"});
  if (!judge.by("label-field") && !judge.by("sample")) {
    const auto record = RunRecord::open(directory);
    const Options options = parse_command(dedup_command(), stored_command(directory).words).options;
    const RunPlan plan = plan_run(options);
    judge.add({}, decisions_of(*record), options, &plan, nullptr, 0);
    return;
  }
  const std::vector<std::vector<std::string>> added = stored_command(directory).added;
  std::error_code error;
  const std::string temp_dir =
      invocation.options.temp_dir.empty() ? "" : std::filesystem::absolute(invocation.options.temp_dir, error).native();
  FinishedRun finished = open_finished_run(directory, reporter);
  Invocation& run = finished.invocation;
  run.options.threads = invocation.options.threads;
  run.options.memory = invocation.options.memory;
  run.options.temp_dir = temp_dir;
  if (judge.by("label-field")) run.options.block_on = judge.label_field();
  require_sources(finished, directory);
  DedupWork work(run, added, reporter);
  require_same_sources(finished, *work.sources.all, directory);
  judge.add({}, decisions_of(*finished.record), run.options, &finished.plan, work.sources.all.get(), work.sources.reference_count);
}

// Runs dedup in this process, once per setting.
void judge_corpus(const Invocation& given, Judge& judge, Reporter& reporter) {
  Invocation invocation = given;
  RunPlan plan = plan_run(invocation.options);
  Options reading = invocation.options;
  if (judge.by("label-field")) {
    if (!reading.block_on.empty() && reading.block_on != judge.label_field()) {
      throw Error(ErrorCode::kUsage, "--label-field and --block-on cannot be combined unless they name the same field");
    }
    reading.block_on = judge.label_field();
  }
  const auto source = open_inputs(invocation.arguments, reading, plan, reporter);
  clean_if_html(invocation, *source, 0, plan, reporter);
  check_effects(invocation, &plan, input_kinds(*source));
  const std::vector<Setting> settings =
      invocation.has("sweep") ? parse_sweep(invocation.value("sweep"), "evaluate") : std::vector<Setting>{{}};
  for (const Setting& setting : settings) with_setting(invocation.options, setting);  // errors before the first run
  for (const Setting& setting : settings) {
    const Options options = with_setting(invocation.options, setting);
    plan = plan_run(options);
    if (const std::string warning = plan_warning(options, plan); !warning.empty()) reporter.warning(warning);
    const std::string label = setting.empty() ? "" : setting_label(setting) + ": ";
    reporter.start(fmt::format("{}recipe {}, {}{}, keep {}, {}", label, recipe_label(plan.recipe), threshold_label(options, plan),
                               search_label(options, plan), keep_label(options), machine_label(plan, *source)),
                   fmt::format(R"("recipe":{},"recipe_id":"{:016x}",{},{})", json_quote(plan.recipe.name), plan.recipe.id(),
                               search_json(options, plan), machine_json(plan, *source)));
    DecisionTable table;
    const auto sink = make_decision_sink(*source, table);
    auto run = judge.job<DedupRun>(*source);
    run.sinks = {sink.get()};
    const Summary summary = dedup(options, run);
    for (const std::string& warning : summary.warnings) reporter.warning(warning);
    table.finish();
    judge.add(setting, table, options, &plan, source.get(), 0);
  }
}

int run_evaluate(const Invocation& invocation, Reporter& reporter) {
  Judge judge(invocation, reporter);
  if (invocation.has("seed") && !judge.by("sample")) throw Error(ErrorCode::kUsage, "--seed requires --sample: it selects the sample");
  local_number(invocation, "sample", 1, 1, 1'000'000);
  std::optional<ResultFile> output;
  if (invocation.has("output")) {
    std::vector<std::string> inputs = invocation.arguments;
    for (const std::string_view file : {"truth-pairs", "truth-clusters"}) {
      if (invocation.has(file)) inputs.push_back(invocation.value(file));
    }
    check_outputs({invocation.value("output")}, inputs);
    output.emplace(lasting_path(invocation.value("output")));
  }
  const std::string& first = invocation.arguments.front();
  std::error_code error;
  const bool alone = invocation.arguments.size() == 1 && !is_uri(first);
  if (alone && std::filesystem::is_directory(first, error) && has_run_command(first)) {
    judge_run(invocation, first, judge, reporter);
  } else if (alone && std::filesystem::is_regular_file(first, error) && is_verdict_file(first)) {
    judge_verdicts(invocation, first, judge);
  } else {
    judge_corpus(invocation, judge, reporter);
  }
  return judge.finish(output ? &*output : nullptr);
}

}  // namespace

const Command& evaluate_command() {
  constexpr std::string_view kTruthGroup = "Truth";
  constexpr std::string_view kReport = "Report";
  static const Command command{
      .name = "evaluate",
      .sentence = "measure precision, recall and missed pairs of a run against labels, or against the exact truth of a sample",
      .usage = "INPUT... | RUN | VERDICTS  --truth-pairs|--truth-clusters|--label-field|--sample  [options]",
      .examples =
          "neardup evaluate corpus.jsonl --label-field cluster\n"
          "neardup evaluate corpus.jsonl --truth-pairs pairs.tsv --sweep 'threshold=0.5:0.9:0.1; recipe=words-5,chars-5'\n"
          "neardup evaluate run --sample 1000\n"
          "neardup evaluate verdicts.tsv --truth-clusters labels.tsv --json",
      .details =
          "RUN is the checkpoint directory of a finished run (dedup --work), VERDICTS a file of dedup --verdicts; for any other INPUT,\n"
          "dedup runs with the given options, without outputs. docs/evaluate.md explains the scores.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options =
          {
              essential(
                  {"--truth-pairs", "FILE", kTruthGroup, "true pairs: id_a, id_b and, optional, similarity; all other pairs are false"}),
              essential({"--truth-clusters", "FILE", kTruthGroup,
                         "id and label; documents with the same label are duplicates, those without one are not judged"}),
              essential({"--label-field", "FIELD", kTruthGroup, "the same from a field of the documents"}),
              essential({"--sample", "N", kTruthGroup,
                         "exact truth: every match of N documents, drawn evenly; shows what the search missed (1 to 1000000)"}),
              {"--seed", "S", kTruthGroup, "which documents --sample draws [1]"},
              essential({"--pairs", "", kReport, "also list all matching pairs, judge them, and estimate how many the search missed"}),
              essential({"--sweep", "NAME=VALUES", kReport,
                         "judge every combination of values, such as 'threshold=0.5:0.9:0.1; recipe=words-5,chars-5'"}),
              {"-o,--output", "FILE", kReport, "the scores as a table with tabs, one line a setting", false, ".tsv"},
              {"--json", "", kReport, "print JSON"},
              {"--log-format", "text|json", kReport, "messages as text, or as one JSON object per line [text]"},
              {"--progress", "auto|always|never", kReport, "auto: on a terminal; always: elsewhere too, a line every few seconds [auto]"},
              {"-q,--quiet", "", kReport, "print only errors"},
          },
      .run = run_evaluate,
  };
  return command;
}

}  // namespace neardup::cli
