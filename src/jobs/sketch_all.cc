#include "neardup/tools/sketch_all.h"

#include <chrono>
#include <vector>

#include "base/parallel.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/memory_plan.h"
#include "dedup/report/input_warnings.h"
#include "neardup/stop.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/run_recipe.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

struct Worker {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch;
};

}  // namespace

Summary sketch_all(const Options& options, const SketchRun& run) {
  const StopScope scope(&run.stop);
  const auto start = std::chrono::steady_clock::now();
  const uint32_t threads = resolve_threads(options.threads);
  const FittedRecipe fitted =
      fit_recipe(run_recipe(options), *run.source, threads, MemoryPlan(options).total, options.temp_dir, {run.progress});
  const double count_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Recipe& recipe = fitted.recipe;
  const Sketcher sketcher(recipe, fitted.table.get());
  if (run.sink != nullptr) run.sink->begin(recipe);
  std::vector<Worker> workers(threads);
  const auto sketch = [&](uint32_t number, const Record& record, std::string& out) {
    Worker& worker = workers[number];
    worker.sketch.resize(sketcher.sketch_words());
    const Sketcher::Result result = sketcher.sketch(record.text, worker.scratch, worker.sketch);
    if (run.sink == nullptr) return result.too_short;
    const bool signature = !result.too_short && !recipe.fingerprints();
    const bool fingerprint = !result.too_short && recipe.fingerprints();
    run.sink->format({.id = record.id,
                      .has_id = record.has_id,
                      .exact = result.exact,
                      .features = SketcherAccess::distinct_features(sketcher, worker.scratch),
                      .too_short = result.too_short,
                      .signature = signature ? std::span<const uint32_t>(worker.sketch) : std::span<const uint32_t>(),
                      .fingerprint = fingerprint ? Sketcher::fingerprint(worker.sketch) : Fingerprint128()},
                     out);
    return result.too_short;
  };
  Summary summary = map_documents("sketch", options.threads, sketch, {run, run.sink, options.max_rejects});
  if (fitted.table) summary.passes.insert(summary.passes.begin(), {"count", count_seconds, fitted.text_bytes});
  summary.spilled_bytes = fitted.spilled_bytes;
  summary.recipe_name = recipe.name;
  summary.recipe_id = recipe.id();
  warn_of_markup(*run.source, options, recipe, summary.warnings);
  return summary;
}

}  // namespace neardup
