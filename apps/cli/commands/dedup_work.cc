#include "cli/commands/dedup_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/run/inputs.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/index_recipe.h"

namespace neardup::cli {
namespace {

// If one file is on both sides, all its documents would match themselves and be removed. `problem` is the end of the message.
void check_apart(const DocumentSource& reference, const DocumentSource& inputs, std::string_view problem) {
  const auto canonical = [](std::string_view name) {
    if (is_uri(name)) return std::string(name);
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(name, error);
    return error ? std::string() : path.native();  // standard input, a pipe
  };
  std::unordered_set<std::string> corpus;
  for (uint32_t i = 0; i < reference.source_count(); ++i) corpus.insert(canonical(reference.source_name(i)));
  for (uint32_t i = 0; i < inputs.source_count(); ++i) {
    const std::string path = canonical(inputs.source_name(i));
    if (!path.empty() && corpus.contains(path)) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' {}", inputs.source_name(i), problem));
    }
  }
}

// What is copied from a database into MongoDB keeps its types.
bool keeps_types(const Invocation& invocation) {
  for (const std::string_view name : {"output", "removed", "annotate"}) {
    if (is_mongodb(invocation.value(name))) return true;
  }
  return false;
}

// Two names of one server cannot be recognized: a collection compared with itself would be deleted completely.
void check_deletion(const Invocation& invocation, const std::vector<std::vector<std::string>>& added) {
  if (!invocation.has("delete-removed")) return;
  if (invocation.arguments.size() != 1 || !added.empty() || !is_mongodb(invocation.arguments.front())) {
    throw Error(ErrorCode::kUsage, "--delete-removed deletes from a MongoDB collection that is the one input of the run");
  }
  for (const std::string& against : invocation.values("against")) {
    if (is_mongodb(against)) throw Error(ErrorCode::kUsage, "--delete-removed and --against with a MongoDB collection cannot be combined");
  }
}

// Each entry of an index is a reference document, so an index that is given twice would count twice.
void check_indexes(const std::vector<std::string>& indexes, const Options& options, const RunPlan& plan) {
  std::unordered_set<std::string> seen;
  for (const std::string& folder : indexes) {
    std::error_code error;
    if (!seen.insert(std::filesystem::canonical(folder, error).native()).second && !error) {
      throw Error(ErrorCode::kUsage, fmt::format("against: '{}' is given twice", folder));
    }
    require_fingerprints(folder);
    const HammingStoreSpec spec = hamming_store_spec(folder);
    check_index_recipe(folder, spec, plan.recipe);
    if (options.max_distance <= spec.radius) continue;
    throw Error(ErrorCode::kUsage, fmt::format("max_distance: {} is above the {} that the index '{}' was built for", options.max_distance,
                                               spec.radius, folder));
  }
}

DedupSources open_all(const Invocation& invocation, const RunPlan& plan, const std::vector<std::vector<std::string>>& added,
                      Reporter& reporter) {
  check_deletion(invocation, added);
  DedupSources sources;
  const InputUse use{.exact_types = keeps_types(invocation), .copied_fields = invocation.value("fields")};
  sources.all = open_inputs(invocation.arguments, invocation.options, plan, reporter, use);
  for (const auto& inputs : added) {
    auto more = open_inputs(inputs, invocation.options, plan, reporter, use);
    check_apart(*sources.all, *more, "is given twice");
    sources.ends.push_back(sources.all->source_count());
    sources.all = append_source(std::move(sources.all), std::move(more));
  }
  std::vector<std::string> corpora;
  for (const std::string& against : invocation.values("against")) (is_index(against) ? sources.indexes : corpora).push_back(against);
  check_indexes(sources.indexes, invocation.options, plan);
  sources.inputs = corpora;
  sources.inputs.insert(sources.inputs.end(), invocation.arguments.begin(), invocation.arguments.end());
  for (const auto& inputs : added) sources.inputs.insert(sources.inputs.end(), inputs.begin(), inputs.end());
  std::unique_ptr<DocumentSource> reference = sources.indexes.empty() ? nullptr : name_sources(sources.indexes);
  if (!corpora.empty()) {
    auto corpus = open_inputs(corpora, invocation.options, plan, reporter, {.exact_types = use.exact_types, .reference = true});
    check_apart(*corpus, *sources.all, "is given both as an input and by --against");
    reference = reference ? concatenate(std::move(reference), std::move(corpus)) : std::move(corpus);
  }
  if (!reference) return sources;
  sources.reference_count = reference->source_count();
  for (uint32_t& end : sources.ends) end += sources.reference_count;
  sources.all = concatenate(std::move(reference), std::move(sources.all));
  return sources;
}

TargetOptions target_options(const Invocation& invocation, const RunPlan& plan, const DocumentSource& source) {
  const std::string fields = invocation.value("fields");
  if (invocation.has("fields") && !invocation.has("output") && !invocation.has("removed")) {
    throw Error(ErrorCode::kUsage, "--fields requires -o or --removed");
  }
  if (invocation.has("fields") && fields.empty()) throw Error(ErrorCode::kUsage, "--fields: expected NAME=VALUE,...");
  if (invocation.has("append") && invocation.has("replace")) {
    throw Error(ErrorCode::kUsage, "--append and --replace cannot be combined: existing rows are either kept or replaced");
  }
  return {.existing = invocation.has("append")    ? TargetOptions::Existing::kAppend
                      : invocation.has("replace") ? TargetOptions::Existing::kReplace
                                                  : TargetOptions::Existing::kRefuse,
          .source = &source,
          .fields = fields,
          .recipe = &plan.recipe,
          .key = invocation.options.key,
          .temp_dir = invocation.options.temp_dir,
          .duckdb_library = invocation.options.duckdb_library,
          .memory = plan.memory_bytes,
          .stop = interrupted};
}

}  // namespace

DedupWork::DedupWork(const Invocation& invocation, const std::vector<std::vector<std::string>>& added, Reporter& reporter)
    : plan(plan_run(invocation.options)),
      sources(open_all(invocation, plan, added, reporter)),
      outputs(invocation, {"output", "removed", "verdicts", "annotate", "report"}) {
  job.source = sources.all.get();
  job.reference_sources = sources.reference_count;
  job.reference_indexes = sources.indexes;
  job.stop = interrupted;
}

void DedupWork::open_outputs(const Invocation& invocation) {
  const DocumentSource& all = *sources.all;
  outputs.check(all);
  const TargetOptions target = target_options(invocation, plan, all);
  if (outputs.has("output")) sinks.push_back(make_document_sink(outputs.path("output"), Which::kKept, all, target));
  if (outputs.has("removed")) sinks.push_back(make_document_sink(outputs.path("removed"), Which::kRemoved, all, target));
  if (outputs.has("verdicts")) sinks.push_back(make_verdict_sink(outputs.path("verdicts"), all, target));
  if (outputs.has("annotate")) sinks.push_back(make_annotate_sink(outputs.path("annotate"), all, target));
  if (outputs.has("output-dir")) {
    sinks.push_back(make_directory_sink(outputs.path("output-dir"), all, target));
    outputs.add_folder(outputs.path("output-dir"));
  }
  if (outputs.has("delete-removed")) deletion = make_removed_documents(invocation.arguments.front(), all, target);
  if (outputs.has("rejects")) rejects = make_reject_sink(outputs.path("rejects"), all);
  if (outputs.has("report")) {
    // Another threshold than that of the run in the directory: its record there stays as it is.
    const std::string directory = invocation.has("rethreshold") ? "" : job.checkpoint_directory;
    report.emplace(outputs.path("report"), directory, invocation.options.temp_dir);
    job.record_directory = report->directory();
  }
  for (const auto& sink : sinks) job.sinks.push_back(sink.get());
  if (deletion) job.sinks.push_back(deletion.get());
  job.rejects = rejects.get();
}

void DedupWork::write_report(const Invocation& invocation, Reporter& reporter) {
  if (!report) return;
  const auto sources_of_run = std::views::iota(static_cast<uint32_t>(sources.indexes.size()), sources.all->source_count());
  const bool once = std::ranges::any_of(sources_of_run, [&](uint32_t i) { return sources.all->state_of(i).empty(); });
  report->write(invocation, sources.inputs, source_options(invocation.options, plan, reporter), once ? sources.all.get() : nullptr);
}

}  // namespace neardup::cli
