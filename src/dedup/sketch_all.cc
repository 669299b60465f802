#include "neardup/sketch_all.h"

#include <vector>

#include "base/parallel.h"
#include "features/feature_set.h"

namespace neardup {
namespace {

struct Worker {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> signature;
};

}  // namespace

Summary sketch_all(const Options& options, const SketchRun& run) {
  const Sketcher sketcher(Recipe::load(options.recipe));
  std::vector<Worker> workers(resolve_threads(options.threads));
  const auto sketch = [&](uint32_t number, const Record& record, std::string& out) {
    Worker& worker = workers[number];
    worker.signature.resize(sketcher.recipe().lanes);
    const Sketcher::Result result = sketcher.sketch(record.text, worker.scratch, worker.signature);
    make_feature_set(worker.scratch.features, worker.scratch.sort_space);
    if (run.sink != nullptr) {
      run.sink->format({.id = record.id,
                        .has_id = record.has_id,
                        .exact = result.exact,
                        .features = worker.scratch.features.size(),
                        .too_short = result.too_short,
                        .signature = result.too_short ? std::span<const uint32_t>() : worker.signature},
                       out);
    }
    return result.too_short;
  };
  Summary summary =
      map_documents("sketch", options.threads, sketch,
                    {.source = run.source, .sink = run.sink, .rejects = run.rejects, .progress = run.progress, .stop = run.stop});
  summary.recipe_name = sketcher.recipe().name;
  summary.recipe_id = sketcher.recipe().id();
  return summary;
}

}  // namespace neardup
