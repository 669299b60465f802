#include "dedup/engine.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/limits.h"
#include "base/parallel.h"
#include "dedup/feature_pass.h"
#include "dedup/groups.h"
#include "dedup/lsh_choice.h"
#include "dedup/sketch_pass.h"
#include "neardup/doctor.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kMiB = 1 << 20;

}  // namespace

MemoryPlan::MemoryPlan(const Options& options)
    : total(options.memory != 0 ? options.memory : machine_memory_bytes() / 2),
      band_keys(total / 4),
      filter_rows(total / 8),
      grouping(total / 8),
      // An LSH run needs the features of its candidates only, once, and the page cache holds what is spilled: a fixed bound keeps
      // the memory per document small. The exact join goes over all features again and again.
      features(options.search == Search::kExact ? total / 2 : std::min(total / 4, 160 * kMiB)),
      sorting(std::min(total / 8, 1024 * kMiB)) {
  if (total < limits::kLeastMemory) {
    throw Error(ErrorCode::kUsage, fmt::format("memory: {} bytes is below the least of {}", total, limits::kLeastMemory));
  }
}

Engine::Engine(const Options& given, DocumentSource& documents, uint32_t reference_sources, RejectSink* reject_sink,
               PassMonitor pass_monitor)
    : options(given),
      source(documents),
      threads(resolve_threads(given.threads)),
      memory(given),
      sketcher(Recipe::load(given.recipe)),
      monitor(std::move(pass_monitor)),
      rejects(reject_sink),
      plan(choose_lsh_plan(given, sketcher.recipe())),
      filter(plan.bands != 0 && options.verify ? SignatureFilter(sketcher.recipe().lanes, options.threshold) : SignatureFilter()),
      table(KeepPolicy::parse(given.keep), reference_sources),
      features(memory.features, given.temp_dir) {
  if (options.threshold.millionths() == 0) throw Error(ErrorCode::kUsage, "threshold: 0 is below the least of 0.000001");
  summary.recipe_name = sketcher.recipe().name;
  summary.recipe_id = sketcher.recipe().id();
  summary.kernels = kernels_in_use();
  summary.threads = threads;
  summary.bands = plan.bands;
  summary.rows_per_band = plan.rows;
  summary.predicted_miss = plan.bands == 0 ? 0 : plan.miss_probability(options.threshold.value());
}

void Engine::find_candidates() {
  LshSketches sketches{.keys = BandKeys(plan, memory.band_keys, options.temp_dir),
                       .filter = filter,
                       .filter_rows = RowStore(filter.row_bytes(), memory.filter_rows, options.temp_dir)};
  timed("sketch", 0, [&] {
    const SketchPassInputs inputs{.source = source,
                                  .sketcher = sketcher,
                                  .sketches = plan.bands == 0 ? nullptr : &sketches,
                                  .threads = threads,
                                  .group_memory_bytes = memory.grouping,
                                  .rejects = rejects,
                                  .monitor = monitor};
    run_sketch_pass(inputs, table, summary);
  });
  summary.passes.back().bytes = summary.text_bytes;
  spilled_sketches_ = sketches.keys.spilled_bytes() + sketches.filter_rows.spilled_bytes();

  timed("group", 0, [&] {
    copy_of = find_exact_copies(table, threads, memory.grouping);
    table.forget_exact_hashes();
    candidates = plan.bands == 0 ? all_candidates(table, copy_of)
                                 : find_lsh_candidates(table, copy_of, sketches, threads, memory.grouping, kSmallGroup);
  });
  summary.passes.back().bytes = table.size() * BandKeys::row_bytes(plan);
  summary.candidate_documents = candidates.documents.size();
  for (size_t g = 0; g < candidates.group_count(); ++g)
    summary.largest_group = std::max<uint64_t>(summary.largest_group, candidates.group(g).size());

  if (!options.verify || candidates.documents.empty()) return;
  timed("features", 0, [&] { run_feature_pass(source, sketcher, table, candidates, threads, monitor, features); });
  summary.passes.back().bytes = features.total_features() * sizeof(uint64_t);
  if (plan.bands == 0) check_exact_search_memory();
}

// The prefix index lives in memory; half of the budget is for it.
void Engine::check_exact_search_memory() const {
  constexpr uint64_t kPostingBytes = 80;       // of a posting and its slot, with the room to grow
  constexpr uint64_t kFixedBytes = 64 * kMiB;  // frequencies
  const uint64_t prefix_features =
      features.total_features() * (Threshold::kOne - options.threshold.millionths()) / Threshold::kOne + features.count();
  const uint64_t needed = prefix_features * kPostingBytes + uint64_t{features.count()} * threads * sizeof(uint64_t) + kFixedBytes;
  if (needed > std::max(memory.total / 2, 2 * kFixedBytes)) {
    throw Error(ErrorCode::kResource,
                fmt::format("search 'exact' would need about {} MiB for its index, half of the memory budget is {} MiB; "
                            "raise --memory, or use --search lsh",
                            needed / kMiB, memory.total / 2 / kMiB));
  }
}

Matcher Engine::matcher() const {
  return Matcher({.table = table,
                  .candidates = candidates,
                  .features = features,
                  .plan = plan,
                  .filter = filter,
                  .threshold = options.threshold,
                  .max_candidates = options.search == Search::kExact ? 0 : options.max_candidates});
}

void Engine::finish_summary() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  summary.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  summary.spilled_bytes = spilled_sketches_ + features.spilled_bytes();
}

}  // namespace neardup
