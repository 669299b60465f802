#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <unordered_set>

#include "commands.h"
#include "index_store.h"
#include "interrupt.h"
#include "neardup/error.h"
#include "neardup/remove_documents.h"
#include "run_support.h"
#include "text_format.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kOutputs = "Outputs";

// The source of a run: the indexes of --against, which have no documents, then its corpora, then the inputs.
struct Sources {
  std::unique_ptr<DocumentSource> all;
  uint32_t reference_count = 0;  // indexes and files
  std::vector<std::string> indexes;
};

// With one file on both sides, everything in it would match itself and go.
void check_apart(const DocumentSource& reference, const DocumentSource& inputs) {
  const auto canonical = [](std::string_view name) {
    if (name.find("://") != std::string_view::npos) return std::string(name);
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(name, error);
    return error ? std::string() : path.native();  // standard input, a pipe
  };
  std::unordered_set<std::string> corpus;
  for (uint32_t i = 0; i < reference.source_count(); ++i) corpus.insert(canonical(reference.source_name(i)));
  for (uint32_t i = 0; i < inputs.source_count(); ++i) {
    const std::string path = canonical(inputs.source_name(i));
    if (!path.empty() && corpus.contains(path)) {
      throw Error(ErrorCode::kInput, fmt::format("'{}' is given both as an input and by --against", inputs.source_name(i)));
    }
  }
}

bool is_mongodb(std::string_view name) {
  return name.starts_with("mongodb://") || name.starts_with("mongodb+srv://");
}

// What is copied from a database into MongoDB keeps its types.
bool keeps_types(const Invocation& invocation) {
  for (const std::string_view name : {"output", "removed", "annotate"}) {
    if (is_mongodb(invocation.value(name))) return true;
  }
  return false;
}

Sources open_all(const Invocation& invocation, const RunPlan& plan) {
  Sources sources;
  sources.all = open_inputs(invocation.arguments, invocation.options, plan, false, keeps_types(invocation));
  std::vector<std::string> corpora;
  for (const std::string& against : invocation.values("against")) (is_index(against) ? sources.indexes : corpora).push_back(against);
  std::unique_ptr<DocumentSource> reference = sources.indexes.empty() ? nullptr : name_sources(sources.indexes);
  if (!corpora.empty()) {
    auto corpus = open_inputs(corpora, invocation.options, plan, false, keeps_types(invocation));
    check_apart(*corpus, *sources.all);
    reference = reference ? concatenate(std::move(reference), std::move(corpus)) : std::move(corpus);
  }
  if (!reference) return sources;
  sources.reference_count = reference->source_count();
  sources.all = concatenate(std::move(reference), std::move(sources.all));
  return sources;
}

void announce(const Invocation& invocation, const RunPlan& plan, const Sources& sources, Reporter& reporter) {
  const Options& options = invocation.options;
  const uint32_t inputs = sources.all->source_count() - sources.reference_count;
  const uint64_t bytes = sources.all->input_bytes();
  std::string text = fmt::format("recipe {}, {}{}, keep {}, {}, memory {}, {}", recipe_label(plan.recipe), threshold_label(options, plan),
                                 search_label(options, plan), options.keep, counted(plan.threads, "thread"), data_size(plan.memory_bytes),
                                 counted(inputs, "input"));
  const uint64_t files = sources.reference_count - sources.indexes.size();
  if (files > 0) text += fmt::format(" against {}", counted(files, "file"));
  if (!sources.indexes.empty())
    text += fmt::format("{}{}", files > 0 ? " and " : " against ", counted(sources.indexes.size(), "index", "indexes"));
  if (bytes > 0) text += fmt::format(", {}", data_size(bytes));
  reporter.start(text, fmt::format(R"("recipe":{},"recipe_id":"{:016x}",{},)"
                                   R"("keep":{},"threads":{},"memory_bytes":{},"inputs":{},"reference_inputs":{},"input_bytes":{})",
                                   json_quote(plan.recipe.name), plan.recipe.id(), search_json(options, plan), json_quote(options.keep),
                                   plan.threads, plan.memory_bytes, inputs, sources.reference_count, bytes));
}

void check_asked(const Invocation& invocation) {
  for (const std::string_view name : {"output", "removed", "verdicts", "annotate", "output-dir", "delete-removed", "summary", "dry-run"}) {
    if (invocation.has(name)) return;
  }
  throw Error(ErrorCode::kUsage, "no output is named: give -o KEPT, another output, or --dry-run");
}

// Two names of one server cannot be told apart: a collection compared with itself would be deleted as a whole.
void check_deletion(const Invocation& invocation) {
  if (!invocation.has("delete-removed")) return;
  if (invocation.arguments.size() != 1 || !is_mongodb(invocation.arguments.front())) {
    throw Error(ErrorCode::kUsage, "--delete-removed deletes from a MongoDB collection that is the one input of the run");
  }
  for (const std::string& against : invocation.values("against")) {
    if (is_mongodb(against)) throw Error(ErrorCode::kUsage, "--delete-removed and --against with a MongoDB collection exclude each other");
  }
}

TargetOptions target_options(const Invocation& invocation, const DocumentSource& source, const RunPlan& plan) {
  const std::string fields = invocation.value("fields");
  if (invocation.has("fields") && !invocation.has("output") && !invocation.has("removed")) {
    throw Error(ErrorCode::kUsage, "--fields says what -o and --removed write, and neither is named");
  }
  if (invocation.has("fields") && fields.empty()) throw Error(ErrorCode::kUsage, "--fields: expected NAME=VALUE,...");
  if (invocation.has("append") && invocation.has("replace")) {
    throw Error(ErrorCode::kUsage, "--append and --replace exclude each other: the rows that are there stay, or they go");
  }
  return {.existing = invocation.has("append")    ? TargetOptions::Existing::kAppend
                      : invocation.has("replace") ? TargetOptions::Existing::kReplace
                                                  : TargetOptions::Existing::kRefuse,
          .source = &source,
          .fields = fields,
          .recipe = &plan.recipe,
          .key = invocation.options.key,
          .temp_dir = invocation.options.temp_dir,
          .stop = interrupted};
}

int run(const Invocation& invocation, Reporter& reporter) {
  check_asked(invocation);
  check_deletion(invocation);
  const RunPlan plan = plan_run(invocation.options);
  const Sources sources = open_all(invocation, plan);
  Outputs outputs(invocation, {"output", "removed", "verdicts", "annotate"});
  outputs.check(*sources.all);

  const TargetOptions target = target_options(invocation, *sources.all, plan);
  std::vector<std::unique_ptr<Sink>> sinks;
  if (outputs.has("output")) sinks.push_back(make_document_sink(outputs.path("output"), Which::kKept, *sources.all, target));
  if (outputs.has("removed")) sinks.push_back(make_document_sink(outputs.path("removed"), Which::kRemoved, *sources.all, target));
  if (outputs.has("verdicts")) sinks.push_back(make_verdict_sink(outputs.path("verdicts"), *sources.all, target));
  if (outputs.has("annotate")) sinks.push_back(make_annotate_sink(outputs.path("annotate"), *sources.all, target));
  if (outputs.has("output-dir")) {
    sinks.push_back(make_directory_sink(outputs.path("output-dir"), *sources.all));
    outputs.add_folder(outputs.path("output-dir"));
  }
  std::unique_ptr<RemovedDocuments> deletion;
  if (outputs.has("delete-removed")) {
    deletion = make_removed_documents(invocation.arguments.front(), *sources.all, target);
  }
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *sources.all) : nullptr;

  announce(invocation, plan, sources, reporter);
  DedupRun job;
  job.source = sources.all.get();
  job.reference_sources = sources.reference_count;
  job.reference_indexes = sources.indexes;
  for (const auto& sink : sinks) job.sinks.push_back(sink.get());
  if (deletion) job.sinks.push_back(deletion.get());
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  const Summary summary = dedup(invocation.options, job);
  const std::string_view collection = sources.all->source_name(sources.all->source_count() - 1);
  if (deletion) reporter.note(fmt::format("deleted {} from {}", counted(deletion->remove(), "document"), collection));
  if (invocation.has("delete-removed") && invocation.has("dry-run")) {
    reporter.note(fmt::format("would delete {} from {}", counted(summary.removed, "document"), collection));
  }
  return outputs.finish(summary, reporter);
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
          "neardup dedup new.jsonl --recipe simhash-chars-4 --against seen -o fresh.jsonl",
      .details =
          "INPUT is a file, a folder, a quoted glob, or - for standard input: JSON Lines or text files, plain or compressed by gzip,\n"
          "zstd or bzip2. Documents are gone through in the order of --keep; one is kept unless a kept one matches it.\n"
          "A kept JSON line is the input's own line, byte for byte. Nothing appears under its final name before it is complete.",
      .least_arguments = 1,
      .most_arguments = std::numeric_limits<size_t>::max(),
      .options = with_run_options({
          {"-o,--output", "FILE", kOutputs, "the kept documents; - is standard output; .gz, .zst, .bz2 at the end compress"},
          {"--removed", "FILE", kOutputs, "the removed documents"},
          {"--verdicts", "FILE", kOutputs, "what became of each document and why, JSON Lines, or a table if FILE ends in .tsv"},
          {"--annotate", "FILE", kOutputs, "all documents, with the verdict in added fields"},
          {"--output-dir", "DIR", kOutputs, "the kept documents, one file per input with the same name"},
          {"--against", "CORPUS|INDEX", "Inputs",
           "a corpus, or an index of fingerprints, that is there already: what matches it is removed, and it is not written", true},
          {"--append", "", kOutputs, "a table or collection that is written may have rows already: they stay"},
          {"--replace", "", kOutputs,
           "a table or collection that is written may have rows already: they go when the new ones are complete"},
          {"--fields", "NAME=VALUE,...", kOutputs,
           "what the documents of -o and --removed consist of: fields of the record, or $text, $raw_text, $id, $source, $row, "
           "$fingerprint, "
           "$fingerprint_long"},
          {"--delete-removed", "", kOutputs,
           "when everything is written, delete the removed documents from the MongoDB collection that is the input"},
          {"--dry-run", "", "Report", "do everything but write; print the summary"},
      }),
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
