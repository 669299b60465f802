#include "cli/store/store_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/duration.h"
#include "cli/options/given_ids.h"
#include "cli/options/local_options.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/online_store.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/store_documents.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownUnknownIds = 5;  // shown ids that delete did not find

OnlineStoreRun run_of(const Invocation& invocation) {
  return {.threads = invocation.options.threads, .sync_interval_ms = duration_ms(invocation, "sync-interval", 0)};
}

OnlineStoreSpec spec_of(const Invocation& invocation) {
  const Options& options = invocation.options;
  return {.recipe = options.recipe,
          .threshold = options.threshold,
          .miss_probability = options.miss_probability,
          .bands = options.bands,
          .rows_per_band = options.rows_per_band,
          .max_distance = options.max_distance,
          .min_length = options.min_length,
          .ttl_ms = duration_ms(invocation, "ttl", 0),
          .texts = !invocation.has("no-texts")};
}

// The recipe of an existing store is given only if its files have moved.
OnlineStore open_store(const StoreJob& job, OnlineAccess access) {
  return OnlineStore::open(job.folder, access, run_of(job.invocation), job.invocation.has("recipe") ? job.invocation.options.recipe : "");
}

std::string rule_label(const OnlineStoreSpec& spec) {
  return fmt::format("recipe {}, threshold {}{}{}", spec.recipe, spec.threshold.value(),
                     spec.ttl_ms == 0 ? "" : fmt::format(", documents forgotten after {}", duration_label(spec.ttl_ms)),
                     spec.texts ? "" : ", without texts");
}

// `open` opens the store once inputs and outputs are known to be good.
template <typename Open>
int check_documents(const StoreJob& job, const Open& open, Reporter& reporter) {
  const Invocation& invocation = job.invocation;
  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  RunOutputs outputs(invocation, {"output"});
  const auto source = open_inputs(job.arguments, options, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  outputs.check(*source);
  const std::unique_ptr<PieceSink> lines = outputs.has("output") ? make_piece_sink(outputs.path("output")) : nullptr;
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  OnlineStore store = open();
  const StoreDocuments what{
      .insert = !invocation.has("no-insert"), .replace = invocation.has("replace-stored"), .touch = invocation.has("touch")};
  const std::string rule = rule_label(store.spec());
  reporter.start(fmt::format("{}, {} stored, {}", rule, counted(store.stat().kept, "document"), machine_label(plan, *source)),
                 fmt::format(R"("rule":{},{})", json_quote(rule), machine_json(plan, *source)));
  if (outputs.to_terminal()) reporter.share_terminal();
  MapRun run;
  run.source = source.get();
  run.sink = lines.get();
  run.rejects = rejects.get();
  run.max_rejects = options.max_rejects;
  run.progress = [&](const Progress& progress) { reporter.progress(progress); };
  run.stop = interrupted;
  const StoreSummary summary = store_documents(options, what, store, run);
  return outputs.finish({.text = summary.to_text(outputs.verbose()), .json = summary.to_json(), .warnings = summary.warnings},
                        summary.rejected + summary.conflicts + summary.invalid, reporter);
}

void say_stat(const OnlineStoreStat& stat) {
  say("store         {}\n", stat.folder);
  say("rule          {}\n", rule_label(stat.spec));
  say("recipe        {:016x}\n", stat.recipe_id);
  say("documents     {}{}\n", grouped(stat.kept),
      stat.deleted == 0 ? "" : fmt::format(", {} wait for neardup store compact", counted(stat.deleted, "deleted one")));
  say("decided       {}\n", counted(stat.next_sequence, "insertion and deletion", "insertions and deletions"));
  say("records       {}\n", data_size(stat.record_bytes));
  say("tables        {}, {} in memory\n", data_size(stat.segment_bytes), counted(stat.rows_in_memory, "document"));
  say("segments      {}\n", stat.segments);
  if (stat.template_rows != 0) say("templates     {} that share parts with many others\n", counted(stat.template_rows, "document"));
}

void say_stat_json(const OnlineStoreStat& stat) {
  say_json(fmt::format(
      R"({{"store":{},"recipe_id":"{:016x}","recipe":{},"threshold":{},"max_distance":{},"ttl_ms":{},"texts":{},"documents":{},"deleted":{},)"
      R"("next_sequence":{},"record_bytes":{},"segments":{},"segment_bytes":{},"rows_in_memory":{},"template_rows":{}}})"
      "\n",
      json_quote(stat.folder), stat.recipe_id, stat.recipe, stat.spec.threshold.value(), stat.spec.max_distance, stat.spec.ttl_ms,
      stat.spec.texts, stat.kept, stat.deleted, stat.next_sequence, stat.record_bytes, stat.segments, stat.segment_bytes,
      stat.rows_in_memory, stat.template_rows));
}

}  // namespace

int build_store(const StoreJob& job, Reporter& reporter) {
  const OnlineStoreSpec spec = spec_of(job.invocation);
  if (!job.arguments.empty()) {
    return check_documents(
        job, [&] { return OnlineStore::create(job.folder, spec, run_of(job.invocation)); }, reporter);
  }
  const OnlineStore store = OnlineStore::create(job.folder, spec, run_of(job.invocation));
  reporter.note(fmt::format("store '{}' created, empty: {}", job.folder, rule_label(store.spec())));
  return kExitOk;
}

int check_store(const StoreJob& job, Reporter& reporter) {
  const OnlineAccess access = job.invocation.has("no-insert") ? OnlineAccess::kRead : OnlineAccess::kWrite;
  for (const std::string_view name : {"replace-stored", "touch"}) {
    if (access == OnlineAccess::kRead && job.invocation.has(name))
      throw Error(ErrorCode::kUsage, fmt::format("--{} cannot be combined with --no-insert, which changes nothing", name));
  }
  return check_documents(
      job, [&] { return open_store(job, access); }, reporter);
}

int delete_from_store(const StoreJob& job, Reporter& reporter) {
  const std::vector<std::string> ids = given_ids(job.invocation, job.arguments, "neardup store delete STORE ID... | STORE --ids FILE");
  OnlineStore store = open_store(job, OnlineAccess::kWrite);
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  std::vector<bool> deleted;
  store.remove(views, deleted);
  const auto unknown = static_cast<uint64_t>(std::ranges::count(deleted, false));
  for (size_t i = 0, shown = 0; i < ids.size() && shown < kShownUnknownIds; ++i) {
    if (deleted[i]) continue;
    reporter.warning(fmt::format("id '{}' is not in '{}'", ids[i], job.folder));
    ++shown;
  }
  reporter.note(fmt::format("deleted {} of {} ({} not found) from '{}'", grouped(ids.size() - unknown), counted(ids.size(), "id"),
                            grouped(unknown), job.folder));
  return job.invocation.options.strict && unknown > 0 ? kExitRejects : kExitOk;
}

int show_store(const StoreJob& job, Reporter&) {
  end_by_interrupts();
  const OnlineStoreStat stat = open_store(job, OnlineAccess::kRead).stat();
  job.invocation.has("json") ? say_stat_json(stat) : say_stat(stat);
  return kExitOk;
}

int verify_store(const StoreJob& job, Reporter& reporter) {
  end_by_interrupts();
  const OnlineStore store = open_store(job, OnlineAccess::kRead);
  store.verify();
  const OnlineStoreStat stat = store.stat();
  reporter.note(fmt::format("store '{}' verified: no damage, {}, records {}, tables {}", job.folder, counted(stat.kept, "document"),
                            data_size(stat.record_bytes), data_size(stat.segment_bytes)));
  return kExitOk;
}

int export_store(const StoreJob& job, Reporter& reporter) {
  const OnlineStore store = open_store(job, OnlineAccess::kRead);
  RunOutputs outputs(job.invocation, {"output"});
  outputs.check(std::vector{job.folder});
  const auto lines = make_piece_sink(job.invocation.value("output", "-"));
  uint64_t documents = 0;
  std::string line;
  store.for_each_document([&](const OnlineDocument& document) {
    line = fmt::format(R"({{"id":{},"sequence":{},"time":{},"expires":{},"text":{}}})"
                       "\n",
                       json_quote(document.id), document.sequence, document.time_ms,
                       document.expires_ms ? fmt::format("{}", *document.expires_ms) : "null",
                       document.text ? json_quote(*document.text) : "null");
    lines->append({0, ++documents}, line);
    return !interrupted();
  });
  if (interrupted()) throw Error(ErrorCode::kStopped, "stopped");
  lines->commit();
  reporter.note(fmt::format("{} exported, in the order of their insertion", counted(documents, "document")));
  return kExitOk;
}

int compact_store(const StoreJob& job, Reporter& reporter) {
  OnlineStore store = open_store(job, OnlineAccess::kWrite);
  const auto label = [&] {
    const OnlineStoreStat stat = store.stat();
    return fmt::format("{}, tables {}, records {}", counted(stat.kept, "document"), data_size(stat.segment_bytes),
                       data_size(stat.record_bytes));
  };
  const std::string before = label();
  store.compact();
  reporter.note(fmt::format("{}; before: {}", label(), before));
  return kExitOk;
}

int copy_store(const StoreJob& job, Reporter& reporter) {
  const OnlineStore store = open_store(job, OnlineAccess::kWrite);
  store.copy_to(job.arguments.front());
  reporter.note(fmt::format("{} copied to '{}'", counted(store.stat().kept, "document"), job.arguments.front()));
  return kExitOk;
}

int repair_store(const StoreJob& job, Reporter& reporter) {
  repair_online_store(job.folder, run_of(job.invocation), job.invocation.has("recipe") ? job.invocation.options.recipe : "");
  const OnlineStoreStat stat = open_store(job, OnlineAccess::kRead).stat();
  reporter.note(fmt::format("tables of '{}' made again from the records of {}", job.folder, counted(stat.kept, "document")));
  return kExitOk;
}

}  // namespace neardup::cli
