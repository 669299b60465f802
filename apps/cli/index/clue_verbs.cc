#include "cli/index/clue_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/clue_index.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/index_clues.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownUnknown = 5;  // shown ids that delete did not find

ClueRecipe recipe_of(const Invocation& invocation) {
  ClueRecipe recipe;
  recipe.fold_han = invocation.has("fold-han");
  const std::string texts = invocation.value("texts", "keep");
  recipe.refer = texts == "refer";
  if (!recipe.refer && texts != "keep") throw Error(ErrorCode::kUsage, fmt::format("--texts: {}", expected_name({"keep", "refer"}, texts)));
  recipe.min_run =
      static_cast<uint32_t>(local_number(invocation, "min-run", recipe.min_run, ClueRecipe::kMinRunMin, ClueRecipe::kMinRunMax));
  return recipe;
}

ClueBuild clue_build_of(const Options& options) {
  return {.threads = options.threads, .memory = plan_run(options).memory_bytes, .temp_dir = options.temp_dir, .stop = interrupted};
}

std::string guarantee_label(const ClueRecipe& recipe) {
  return fmt::format("clues from {} Latin characters or {} ideographs on are found for certain", recipe.min_run, recipe.min_run_wide());
}

// `open` opens the index once inputs and outputs are known to be good.
template <typename Open>
int fill_clues(const IndexJob& job, const Open& open, Reporter& reporter) {
  const Options& options = job.invocation.options;
  const RunPlan plan = plan_run(options);
  RunOutputs outputs(job.invocation, {});
  const auto source = open_inputs(job.arguments, options, plan, reporter);
  check_effects(job.invocation, nullptr, input_kinds(*source));
  outputs.check(*source);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  ClueIndex index = open();
  const ClueRecipe& recipe = index.recipe();
  reporter.start(fmt::format("clue index, {}, {}, {}", guarantee_label(recipe), machine_label(plan, *source), memory_label(options, plan)),
                 fmt::format(R"("kind":"clue","min_run":{},"min_run_wide":{},"fold_han":{},"threads":{},"memory_bytes":{})", recipe.min_run,
                             recipe.min_run_wide(), recipe.fold_han, plan.threads, plan.memory_bytes));
  RunHooks hooks;
  hooks.source = source.get();
  hooks.rejects = rejects.get();
  hooks.progress = [&](const Progress& progress) { reporter.progress(progress); };
  hooks.stop = interrupted;
  const ClueIndexSummary summary = index_clues(options, index, hooks);
  return outputs.finish({.text = summary.to_text(outputs.verbose()), .json = summary.to_json(), .warnings = summary.warnings},
                        summary.rejected, reporter);
}

struct ClueSums {
  uint64_t bytes = 0;
  uint64_t anchor_bytes = 0;
  uint64_t postings = 0;
  explicit ClueSums(const ClueIndexStat& stat) {
    for (const ClueSegmentStat& segment : stat.segments) {
      bytes += segment.bytes;
      anchor_bytes += segment.anchor_bytes;
      postings += segment.postings;
    }
  }
};

void say_clue_stat(const ClueIndexStat& stat) {
  const ClueSums sums(stat);
  say("index         {}\n", stat.folder);
  say("kind          clue: finds texts that contain a passage (neardup search)\n");
  say("recipe        {:016x}, {}\n", stat.recipe.id(), guarantee_label(stat.recipe));
  say("ideographs    {}\n", stat.recipe.fold_han ? "traditional ones match simplified ones" : "as they are");
  say("stored        {}\n", stat.recipe.refer ? "places of texts in their sources, which must not change" : "texts");
  say("texts         {}{}\n", grouped(stat.texts),
      stat.removed_ids == 0 ? "" : fmt::format(", {} to be dropped by the next merge", counted(stat.removed_ids, "removed id")));
  say("postings      {}\n", grouped(sums.postings));
  say("bytes         {}, of which the index proper {}\n", grouped(sums.bytes), grouped(sums.anchor_bytes));
  say("segments      {}\n", stat.segments.size());
  if (stat.segments.empty()) return;
  say("\n{:<20} {:>14} {:>16} {:>16} {:>16}\n", "segment", "texts", "postings", "bytes", "index proper");
  for (const ClueSegmentStat& segment : stat.segments) {
    say("{:<20} {:>14} {:>16} {:>16} {:>16}\n", segment.file, grouped(segment.texts), grouped(segment.postings), grouped(segment.bytes),
        grouped(segment.anchor_bytes));
  }
}

void say_clue_stat_json(const ClueIndexStat& stat) {
  const ClueSums sums(stat);
  std::string segments;
  for (const ClueSegmentStat& segment : stat.segments) {
    segments += fmt::format(R"({}{{"file":{},"texts":{},"postings":{},"bytes":{},"anchor_bytes":{}}})", segments.empty() ? "" : ",",
                            json_quote(segment.file), segment.texts, segment.postings, segment.bytes, segment.anchor_bytes);
  }
  say_json(fmt::format(
      R"({{"index":{},"kind":"clue","recipe_id":"{:016x}","recipe":{},"min_run":{},"min_run_wide":{},"texts":{},"removed_ids":{},)"
      R"("postings":{},"bytes":{},"anchor_bytes":{},"segments":[{}]}})"
      "\n",
      json_quote(stat.folder), stat.recipe.id(), stat.recipe.canonical_json(), stat.recipe.min_run, stat.recipe.min_run_wide(), stat.texts,
      stat.removed_ids, sums.postings, sums.bytes, sums.anchor_bytes, segments));
}

}  // namespace

int build_clue_index(const IndexJob& job, Reporter& reporter) {
  refuse_existing_index(job.folder);
  const ClueRecipe recipe = recipe_of(job.invocation);
  return fill_clues(
      job, [&] { return ClueIndex::create(job.folder, recipe); }, reporter);
}

int add_to_clue_index(const IndexJob& job, Reporter& reporter) {
  return fill_clues(
      job, [&] { return ClueIndex::open(job.folder, ClueAccess::kWrite); }, reporter);
}

int delete_from_clue_index(const IndexJob& job, Reporter& reporter) {
  const std::vector<std::string> names = ids_of(job);
  ClueIndex index = ClueIndex::open(job.folder, ClueAccess::kWrite);
  std::vector<bool> known(names.size(), false);
  std::vector<uint64_t> found;
  index.find_names(names, [&](size_t position, uint64_t id) {
    known[position] = true;
    found.push_back(id);
  });
  for (const uint64_t id : found) index.remove(id);
  index.flush();
  const auto unknown = static_cast<uint64_t>(std::ranges::count(known, false));
  for (size_t i = 0, shown = 0; i < names.size() && shown < kShownUnknown; ++i) {
    if (known[i]) continue;
    reporter.warning(fmt::format("id '{}' is not in '{}'", names[i], job.folder));
    ++shown;
  }
  reporter.note(fmt::format("deleted {} of {} ({} not found); {} removed from '{}'", grouped(names.size() - unknown),
                            counted(names.size(), "id"), grouped(unknown), counted(found.size(), "text"), job.folder));
  return job.invocation.options.strict && unknown > 0 ? kExitRejects : kExitOk;
}

int merge_clue_index(const IndexJob& job, Reporter& reporter) {
  const uint64_t most = local_number(job.invocation, "segments", 1, 1, 1'000'000);
  ClueIndex index = ClueIndex::open(job.folder, ClueAccess::kWrite);
  const auto label = [&] {
    const ClueIndexStat stat = index.stat();
    return fmt::format("{} in {}", counted(stat.texts, "text"), counted(stat.segments.size(), "segment"));
  };
  const std::string before = label();
  reporter.start(fmt::format("{} of '{}'", before, job.folder), fmt::format(R"("index":{})", json_quote(job.folder)));
  index.merge(most, clue_build_of(job.invocation.options));
  reporter.note(fmt::format("{}, before {}", label(), before));
  return kExitOk;
}

int show_clue_index(const IndexJob& job, Reporter&) {
  end_by_interrupts();
  const ClueIndexStat stat = ClueIndex::open(job.folder, ClueAccess::kRead).stat();
  job.invocation.has("json") ? say_clue_stat_json(stat) : say_clue_stat(stat);
  return kExitOk;
}

int verify_clue_index(const IndexJob& job, Reporter& reporter) {
  end_by_interrupts();
  const ClueIndex index = ClueIndex::open(job.folder, ClueAccess::kRead, make_referred_texts);
  index.verify(job.invocation.options.threads);
  const ClueIndexStat stat = index.stat();
  reporter.note(fmt::format("index '{}' verified: no damage, {}, {}{}", job.folder, counted(stat.segments.size(), "segment"),
                            data_size(ClueSums(stat).bytes), stat.recipe.refer ? "; its texts are in their sources" : ""));
  return kExitOk;
}

}  // namespace neardup::cli
