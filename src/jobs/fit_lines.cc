#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "dedup/fit/frequent_lines.h"
#include "dedup/output_pass.h"
#include "dedup/pass/late_rejects.h"
#include "jobs/fit_run.h"
#include "neardup/stop.h"
#include "neardup/tools/line_lists.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "text/clean/cleaner.h"
#include "text/clean/line_counter.h"

namespace neardup {
namespace {

constexpr size_t kBytesAtOnce = 1u << 20;  // that a worker collects before it takes the counter's lock

class LinePasses {
 public:
  LinePasses(const Options& options, const RunPlan& plan, const LineRun& run)
      : run_(run),
        max_rejects_(options.max_rejects),
        threads_(plan.threads),
        cleaners_(CleanChain::parse(plan.recipe.clean, {.line_lists = plan.recipe.line_lists})),
        counter_(plan.memory_bytes, options.temp_dir),
        workers_(plan.threads) {}

  Summary count() {
    LateRejects rejects(run_.rejects);
    const auto add = [this](uint32_t number, const Record& record, std::string&) {
      Worker& worker = workers_[number];
      worker.text += cleaners_.clean(record.text, worker.scratch);
      worker.ends.push_back(worker.text.size());
      if (worker.text.size() >= kBytesAtOnce) hand_over(worker);
      return false;
    };
    Summary summary = map_documents("lines", threads_, add, map_run(run_, max_rejects_, &rejects));
    for (Worker& worker : workers_) hand_over(worker);
    return summary;
  }

  LineList finish() { return counter_.finish(run_.share, run_.least_documents); }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return counter_.spilled_bytes(); }

  // Once more through the corpus: a list knows hashes only.
  Summary name(FrequentLines& lines) {
    const auto look = [&](uint32_t number, const Record& record, std::string&) {
      lines.look_at(number, cleaners_.clean(record.text, workers_[number].scratch));
      return false;
    };
    return map_documents("words", threads_, look, map_run(run_, max_rejects_, nullptr));
  }

 private:
  struct Worker {
    Cleaner::Scratch scratch;
    std::string text;  // of several documents
    std::vector<size_t> ends;
    std::vector<std::string_view> documents;
  };

  void hand_over(Worker& worker) {
    worker.documents.clear();
    size_t begin = 0;
    for (const size_t end : worker.ends) {
      worker.documents.push_back(std::string_view(worker.text).substr(begin, end - begin));
      begin = end;
    }
    counter_.add(worker.documents);
    worker.text.clear();
    worker.ends.clear();
  }

  const LineRun& run_;
  const RejectLimit max_rejects_;
  const uint32_t threads_;
  const CleanChain cleaners_;
  LineCounter counter_;
  std::vector<Worker> workers_;
};

LineListInfo info_of(const LineList& list) {
  return {.id = list.id(), .lines = list.size(), .share = list.share(), .documents = list.documents()};
}

}  // namespace

LearnedLines fit_lines(const Options& options, const LineRun& run) {
  const StopScope scope(&run.stop);
  const RunPlan plan = plan_run(options);
  AtomicFile file(run.output);
  LinePasses passes(options, plan, run);
  LearnedLines learned{.list = {}, .top = {}, .summary = passes.count()};
  Summary& summary = learned.summary;
  const LineList list = passes.finish();
  learned.list = info_of(list);
  file.append(list.serialize());
  if (run.top_lines > 0) {
    FrequentLines lines(list, plan.threads);
    const Summary named = passes.name(lines);
    summary.passes.push_back(named.passes.front());
    summary.peak_memory_bytes = named.peak_memory_bytes;
    learned.top = lines.top(run.top_lines);
  }
  summary.recipe_name = plan.recipe.name;
  summary.recipe_id = plan.recipe.id();
  summary.spilled_bytes = passes.spilled_bytes();

  Outputs outputs;
  outputs.add(&file);
  outputs.add(run.rejects);
  outputs.commit();
  return learned;
}

LineListInfo read_lines(const std::string& path) {
  return info_of(LineList::load(path));
}

}  // namespace neardup
