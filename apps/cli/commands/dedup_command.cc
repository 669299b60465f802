#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/commands/dedup_sample.h"
#include "cli/commands/dedup_work.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/run/html_recipe.h"
#include "cli/run/labels.h"
#include "cli/run/next_steps.h"
#include "cli/run/stored_run.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/run_command.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kOutputs = "Outputs";
constexpr std::string_view kCheckpoints = "Checkpoints";

void announce(const Invocation& invocation, const RunPlan& plan, const DedupSources& sources, Reporter& reporter) {
  const Options& options = invocation.options;
  if (const std::string warning = plan_warning(options, plan); !warning.empty()) reporter.warning(warning);
  const uint64_t bytes = sources.all->input_bytes();
  std::string text = fmt::format("recipe {}, {}{}, keep {}, {}, {}, {}", recipe_label(plan.recipe), threshold_label(options, plan),
                                 search_label(options, plan), keep_label(options), counted(plan.threads, "thread"),
                                 memory_label(options, plan), inputs_label(*sources.all, sources.reference_count));
  const uint64_t files = sources.reference_count - sources.indexes.size();
  if (files > 0) text += fmt::format(" against {}", counted(files, "file"));
  if (!sources.indexes.empty())
    text += fmt::format("{}{}", files > 0 ? " and " : " against ", counted(sources.indexes.size(), "index", "indexes"));
  if (bytes > 0) text += fmt::format(", {}", data_size(bytes));
  reporter.start(text, fmt::format(R"("recipe":{},"recipe_id":"{:016x}",{},)"
                                   R"("keep":{},"threads":{},"memory_bytes":{},{},"reference_inputs":{},"input_bytes":{})",
                                   json_quote(plan.recipe.name), plan.recipe.id(), search_json(options, plan),
                                   json_quote(keep_label(options)), plan.threads, plan.memory_bytes,
                                   inputs_json(*sources.all, sources.reference_count), sources.reference_count, bytes));
}

void check_outputs_named(const Invocation& invocation) {
  for (const std::string_view name :
       {"output", "removed", "verdicts", "annotate", "output-dir", "delete-removed", "summary", "report", "dry-run"}) {
    if (invocation.has(name)) return;
  }
  throw Error(ErrorCode::kUsage, "no output is named: give -o KEPT, another output, or --dry-run");
}

// `invocation`: as announced; `options`: of the job.
int execute(const Invocation& invocation, const Options& options, DedupWork& work, Reporter& reporter) {
  announce(invocation, work.plan, work.sources, reporter);
  if (work.outputs.to_terminal()) reporter.share_terminal();
  work.job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  const Summary summary = dedup(options, work.job);
  reporter.outputs_written();
  work.write_report(invocation, reporter);
  const std::string_view collection = work.sources.all->source_name(work.sources.all->source_count() - 1);
  if (work.deletion) reporter.note(fmt::format("deleted {} from {}", counted(work.deletion->remove(), "document"), collection));
  if (invocation.has("delete-removed") && invocation.has("dry-run")) {
    reporter.note(fmt::format("would delete {} from {}", counted(summary.removed, "document"), collection));
  }
  reporter.set_resume({});
  return work.outputs.finish(summary, reporter, next_steps(invocation, work.plan.recipe, summary));
}

int prepare(const Invocation& invocation, const DedupWork& work, Reporter& reporter) {
  const size_t tasks = prepare_tasks(invocation.options, work.job).size();
  reporter.set_resume({});
  const std::string& directory = work.job.checkpoint_directory;
  reporter.note(fmt::format("the run in '{}' has {}: neardup task {} list", directory, counted(tasks, "task"), directory));
  return kExitOk;
}

// A run can be resumed only if another process can read its inputs again.
void check_lasting(const DedupSources& sources) {
  for (uint32_t i = static_cast<uint32_t>(sources.indexes.size()); i < sources.all->source_count(); ++i) {
    if (!sources.all->state_of(i).empty()) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--work: '{}' can be read only once, so a run over it cannot be resumed; save it to a file",
                                               sources.all->source_name(i)));
  }
}

int begin(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (invocation.arguments.empty()) {
    throw Error(
        ErrorCode::kUsage,
        "arguments are missing: neardup dedup INPUT... -o KEPT [options]; INPUT is a file, a folder, or - for standard input, which is "
        "also read without it when it is a pipe or a file");
  }
  check_outputs_named(invocation);
  if (invocation.has("add")) throw Error(ErrorCode::kUsage, "--add requires --resume: it extends a run");
  DedupWork work(invocation, {}, reporter);
  // Stored with the command, so that a resumed run keeps the choice.
  if (clean_if_html(invocation, *work.sources.all, static_cast<uint32_t>(work.sources.indexes.size()), work.plan, reporter)) {
    invocation.words.insert(invocation.words.begin(), {"--clean", invocation.options.clean});
  }
  check_effects(invocation, &work.plan, input_kinds(*work.sources.all, static_cast<uint32_t>(work.sources.indexes.size())));
  if (invocation.has("sample")) {
    announce(invocation, work.plan, work.sources, reporter);
    return predict_removals(invocation, work, reporter);
  }
  const std::string directory = invocation.value("work");
  if (!directory.empty()) {
    check_lasting(work.sources);
    work.job.hold = create_checkpoint_directory(
        directory, {.words = invocation.words, .added = {}, .current_folder = std::filesystem::current_path().native()});
    work.job.checkpoint_directory = directory;
    reporter.set_resume(resume_line(directory));
  } else if (invocation.has("prepare")) {
    throw Error(ErrorCode::kUsage, "--prepare requires --work: it names the checkpoint directory of the tasks");
  }
  try {
    work.open_outputs(invocation);  // before the tasks too, so that their errors do not appear only after all tasks
    return invocation.has("prepare") ? prepare(invocation, work, reporter) : execute(invocation, invocation.options, work, reporter);
  } catch (const Error&) {
    if (!directory.empty() && run_identity(directory).empty()) {
      remove_run_command(directory);
      reporter.set_resume({});
    }
    throw;
  }
}

// Before anything is stored: a run that is killed in between must continue unchanged.
void check_extensible(const std::string& directory, const Options& options) {
  for (const std::string& name : {options.recipe, options.also}) {
    if (!name.empty()) require_extensible(Recipe::load(name), directory);
  }
}

int resume(const Invocation& now, Reporter& reporter) {
  const std::string directory = now.value("resume");
  load_command(directory);  // throws if there is no run
  const auto hold = hold_checkpoint_directory(directory);
  StoredCommand stored = load_command(directory);
  reporter.hide_secrets_of(stored.words);
  for (const auto& inputs : stored.added) reporter.hide_secrets_of(inputs);
  if (now.has("add") != !now.arguments.empty()) {
    throw Error(ErrorCode::kUsage, now.has("add")
                                       ? "--add: no input is given"
                                       : fmt::format("--resume: the run in '{}' already has its inputs; use --add for more", directory));
  }
  const Invocation invocation = resumed(dedup_command(), stored, now, directory);
  if (invocation.has("metrics")) reporter.write_metrics(invocation.value("metrics"));
  check_database_options(invocation);
  const StoredCommand before = stored;
  const std::string identity = run_identity(directory);
  if (now.has("add")) check_extensible(directory, invocation.options);
  if (now.has("add")) stored.added.push_back(now.arguments);
  DedupWork work(invocation, stored.added, reporter);
  check_lasting(work.sources);
  work.job.checkpoint_directory = directory;
  work.job.hold = hold;
  work.job.extend_after = work.sources.ends;
  if (now.has("add")) store_command(directory, stored);
  reporter.set_resume(resume_line(directory));
  work.outputs.remove_leftovers();
  if (work.outputs.has("output-dir")) remove_partial_outputs(work.outputs.path("output-dir"), *work.sources.all);
  try {
    work.open_outputs(invocation);
    return execute(invocation, invocation.options, work, reporter);
  } catch (const Error&) {
    // Restores the command, so that inputs that were not added do not affect the run.
    if (now.has("add") && run_identity(directory) == identity) store_command(directory, before);
    throw;
  }
}

// The directory stays as it is, so no output may replace a file there.
void check_outside(const Invocation& invocation, const std::string& directory) {
  std::error_code error;
  const std::filesystem::path inside = std::filesystem::canonical(directory, error);
  for (const std::string_view name : {"output", "removed", "verdicts", "annotate", "report", "rejects", "summary", "metrics"}) {
    const std::string path = invocation.value(name);
    if (path.empty() || path == "-" || is_uri(path)) continue;
    const std::filesystem::path folder = std::filesystem::weakly_canonical(path, error).parent_path();
    if (!error && folder == inside) {
      throw Error(ErrorCode::kUsage, fmt::format("--{}: '{}' is in the directory of the run, which --rethreshold only reads", name, path));
    }
  }
}

// Applies a higher threshold to the run of a directory, which is only read.
int rethreshold(const Invocation& now, Reporter& reporter) {
  const std::string directory = now.value("resume");
  if (directory.empty()) throw Error(ErrorCode::kUsage, "--rethreshold requires --resume: it applies a threshold to a run");
  if (now.has("add") || !now.arguments.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("--rethreshold: the run in '{}' already has its inputs", directory));
  }
  check_outputs_named(now);
  Threshold threshold = Threshold::from_millionths(Threshold::kOne);
  try {
    threshold = Threshold::parse(now.value("rethreshold"));
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, fmt::format("--rethreshold: {}", error.what()));
  }
  load_command(directory);  // throws if there is no run
  const auto hold = hold_checkpoint_directory(directory);
  const StoredCommand stored = load_command(directory);
  reporter.hide_secrets_of(stored.words);
  for (const auto& inputs : stored.added) reporter.hide_secrets_of(inputs);
  check_outside(now, directory);
  Invocation invocation = rethresholded_run(dedup_command(), stored, now, directory);
  check_database_options(invocation);
  DedupWork work(invocation, stored.added, reporter);
  work.job.checkpoint_directory = directory;
  work.job.hold = hold;
  work.job.rethreshold = threshold;
  const Options run_options = invocation.options;
  // What is announced and reported: this command, and the bands of the run.
  invocation.words = now.words;
  invocation.options.threshold = threshold;
  invocation.given["threshold"] = {now.value("rethreshold")};
  invocation.options.bands = work.plan.bands;
  invocation.options.rows_per_band = work.plan.rows_per_band;
  work.open_outputs(invocation);
  return execute(invocation, run_options, work, reporter);
}

LocalOption written(std::string_view flags, std::string_view help) {
  return {flags, "FILE", kOutputs, help, false, kDocumentEndings};
}

int run_dedup(const Invocation& invocation, Reporter& reporter) {
  check_sample_options(invocation);
  if (invocation.has("rethreshold")) return rethreshold(invocation, reporter);
  return invocation.has("resume") ? resume(invocation, reporter) : begin(invocation, reporter);
}

}  // namespace

const Command& dedup_command() {
  static const Command command{
      .name = "dedup",
      .sentence = "remove exact and near duplicates from a corpus; every removed document has a kept one that it matches",
      .usage = "INPUT... -o KEPT [options]",
      .examples =
          "neardup dedup corpus.jsonl -o kept.jsonl --verdicts verdicts.tsv\n"
          "neardup dedup 'shards/*.jsonl.zst' --output-dir clean --threshold 0.7 --keep max:quality,longest\n"
          "zcat new.jsonl.gz | neardup dedup - --against corpus.jsonl -o fresh.jsonl.zst\n"
          "neardup dedup new.jsonl --recipe simhash-words-3 --against seen -o fresh.jsonl\n"
          "neardup dedup corpus.jsonl -o kept.jsonl --work run; neardup dedup --resume run --add more.jsonl",
      .details =
          "Without INPUT, reads standard input if that is a pipe or a file. Documents are scanned in the order of --keep; one is kept\n"
          "unless a kept one matches it. A kept JSON line is the input's own line, byte for byte. Outputs appear when they are complete.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential(written("-o,--output", "the kept documents; - is standard output; the ending .gz, .zst or .bz2 compresses")),
          written("--removed", "the removed documents"),
          essential(written("--verdicts", "kept or removed, and why, for each document: JSON Lines, or a table if FILE ends in .tsv")),
          written("--annotate", "all documents, with the verdict in added fields"),
          {"--report", "FILE", kOutputs, "a page that shows what the run did and why (docs/report.md); neardup report RUN makes it later"},
          {"--output-dir", "DIR", kOutputs, "the kept documents, one file per input with the same name"},
          essential({"--against", "CORPUS|INDEX", "Inputs",
                     "existing corpus or index, which is only read; inputs that match it are removed", true}),
          config_option(),
          {"--append", "", kOutputs, "add to the rows of an existing output table or collection"},
          {"--replace", "", kOutputs, "replace the rows of an existing output table or collection, once the new ones are complete"},
          essential(
              {"--work", "DIR", kCheckpoints, "checkpoint directory, created if missing; continue an interrupted run with --resume DIR"}),
          essential({"--resume", "DIR", kCheckpoints, "continue the run of this checkpoint directory, with all its options"}),
          {"--prepare", "", kCheckpoints, "with --work: only prepare the run; neardup task does its tasks, and --resume the rest"},
          {"--add", "", kCheckpoints, "with --resume: add INPUT... after the inputs of the run"},
          {"--rethreshold", "T", kCheckpoints,
           "with --resume: the outputs named now as with the higher threshold T, without a new run; the directory is only read"},
          {"--fields", "NAME=VALUE,...", kOutputs,
           "fields of the documents in -o and --removed: fields of the record, or $text, $raw_text, $id, $source, $row, $fingerprint, "
           "$fingerprint_long"},
          {"--delete-removed", "", kOutputs, "finally, delete the removed documents from the MongoDB collection that is the input"},
          {"--dry-run", "", "Report", "run without writing anything; print the summary"},
          {"--sample", "P%", "Report", "with --dry-run: predict the removals per input, with a range, from this share of the documents"},
      }),
      .run = run_dedup,
  };
  return command;
}

}  // namespace neardup::cli
