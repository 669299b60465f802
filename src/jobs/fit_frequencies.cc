#include <optional>

#include "base/atomic_file.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/fit/frequent_words.h"
#include "dedup/output_pass.h"
#include "dedup/pass/late_rejects.h"
#include "features/document_frequency.h"
#include "features/frequency_builder.h"
#include "jobs/fit_run.h"
#include "neardup/sketcher.h"
#include "neardup/stop.h"
#include "neardup/tools/frequencies.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

class FrequencyPasses {
 public:
  FrequencyPasses(const Options& options, const RunPlan& plan, const FrequencyRun& run)
      : run_(run),
        max_rejects_(options.max_rejects),
        threads_(plan.threads),
        sketcher_(tokens_only(plan.recipe)),
        builder_(plan.threads, plan.memory_bytes, options.temp_dir),
        scratches_(plan.threads) {}

  Summary count() {
    LateRejects rejects(run_.rejects);
    const auto add = [this](uint32_t worker, const Record& record, std::string&) {
      builder_.add(worker, SketcherAccess::token_hashes(sketcher_, record.text, scratches_[worker]));
      return false;
    };
    return map_documents("count", threads_, add, map_run(run_, max_rejects_, &rejects));
  }

  void write(FrequencyWriter& writer, AtomicFile& table) {
    builder_.write(writer);
    writer.finish(frequency_description(sketcher_.recipe().canonical_json()), builder_.documents(), table);
  }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return builder_.spilled_bytes(); }

  // Once more through the corpus: the table knows hashes only.
  Summary name(FrequentWords& words) {
    const auto look = [&](uint32_t worker, const Record& record, std::string&) {
      words.look_at(worker, SketcherAccess::tokenize(sketcher_, record.text, scratches_[worker]));
      return false;
    };
    return map_documents("words", threads_, look, map_run(run_, max_rejects_, nullptr));
  }

 private:
  const FrequencyRun& run_;
  const RejectLimit max_rejects_;
  const uint32_t threads_;
  const Sketcher sketcher_;
  DocumentFrequencyBuilder builder_;
  std::vector<Sketcher::Scratch> scratches_;
};

}  // namespace

Summary fit_frequencies(const Options& options, const FrequencyRun& run) {
  const StopScope scope(&run.stop);
  const RunPlan plan = plan_run(options);
  AtomicFile table(run.output);
  std::optional<AtomicFile> words_file;
  if (!run.words.empty()) words_file.emplace(run.words);

  FrequencyPasses passes(options, plan, run);
  Summary summary = passes.count();
  FrequencyWriter writer(run.least_frequency, options.temp_dir);
  if (words_file) writer.remember_top(run.top_words);
  passes.write(writer, table);
  if (words_file) {
    FrequentWords words(writer.top(), plan.threads);
    const Summary named = passes.name(words);
    summary.passes.push_back(named.passes.front());
    summary.peak_memory_bytes = named.peak_memory_bytes;
    words_file->append(words.table(summary.kept));
  }
  summary.recipe_name = plan.recipe.name;
  summary.recipe_id = plan.recipe.id();
  summary.spilled_bytes = passes.spilled_bytes();

  Outputs outputs;
  outputs.add(&table);
  outputs.add(words_file ? &*words_file : nullptr);
  outputs.add(run.rejects);
  outputs.commit();
  return summary;
}

}  // namespace neardup
