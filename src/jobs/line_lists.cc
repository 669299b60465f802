#include "neardup/tools/line_lists.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "dedup/pass/outputs.h"
#include "neardup/stop.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "text/clean/cleaner.h"
#include "text/clean/line_counter.h"
#include "text/clean/line_list.h"

namespace neardup {
namespace {

constexpr size_t kBytesAtOnce = 1u << 20;  // that a worker collects before it takes the counter's lock

// Finds the text of the lines of a list and the number of documents with them, for people. A list has only hashes.
class FrequentLines {
 public:
  /// The list is not owned.
  FrequentLines(const LineList& list, uint32_t workers) : list_(list), workers_(workers) {}

  /// One document, cleaned. Workers in parallel.
  void look_at(uint32_t worker, std::string_view text);

  /// The most frequent first, of equals the smallest in bytes. If lines share a hash, the smallest one represents them.
  [[nodiscard]] std::vector<LearnedLines::Line> top(uint64_t max_lines) const;

 private:
  using Lines = std::unordered_map<uint64_t, LearnedLines::Line>;
  struct Worker {
    Lines lines;
    std::unordered_map<uint64_t, uint64_t> last;  // the document for which the line was counted last
    uint64_t documents = 0;
  };
  static void add(Lines& lines, uint64_t hash, uint64_t documents, std::string_view text);

  const LineList& list_;
  std::vector<Worker> workers_;
};

void FrequentLines::add(Lines& lines, uint64_t hash, uint64_t documents, std::string_view text) {
  LearnedLines::Line& line = lines[hash];
  if (line.documents == 0 || text < line.text) line.text = text;
  line.documents += documents;
}

void FrequentLines::look_at(uint32_t worker, std::string_view text) {
  Worker& mine = workers_[worker];
  ++mine.documents;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = trim_line(line_at(text, at, at));
    if (line.empty()) continue;
    const uint64_t hash = hash64(line);
    if (!list_.contains(hash)) continue;
    uint64_t& last = mine.last[hash];
    add(mine.lines, hash, last == mine.documents ? 0 : 1, line);
    last = mine.documents;
  }
}

std::vector<LearnedLines::Line> FrequentLines::top(uint64_t max_lines) const {
  Lines all;
  for (const Worker& worker : workers_) {
    for (const auto& [hash, line] : worker.lines) add(all, hash, line.documents, line.text);
  }
  std::vector<LearnedLines::Line> lines;
  for (auto& [hash, line] : all) lines.push_back(std::move(line));
  std::ranges::sort(lines, [](const LearnedLines::Line& a, const LearnedLines::Line& b) {
    return a.documents != b.documents ? a.documents > b.documents : a.text < b.text;
  });
  lines.resize(std::min<uint64_t>(lines.size(), max_lines));
  return lines;
}

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
    BorrowedRejectSink rejects(run_.rejects);
    const auto add = [this](uint32_t number, const Record& record, std::string&) {
      Worker& worker = workers_[number];
      worker.text += cleaners_.clean(record.text, worker.scratch);
      worker.ends.push_back(worker.text.size());
      if (worker.text.size() >= kBytesAtOnce) hand_over(worker);
      return false;
    };
    Summary summary = map_documents("lines", threads_, add, pass_over(&rejects));
    for (Worker& worker : workers_) hand_over(worker);
    return summary;
  }

  LineList finish() { return counter_.finish(run_.share, run_.min_documents); }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return counter_.spilled_bytes(); }

  // Reads the corpus again: a list has only hashes.
  Summary name(FrequentLines& lines) {
    const auto look = [&](uint32_t number, const Record& record, std::string&) {
      lines.look_at(number, cleaners_.clean(record.text, workers_[number].scratch));
      return false;
    };
    return map_documents("words", threads_, look, pass_over(nullptr));
  }

 private:
  struct Worker {
    Cleaner::Scratch scratch;
    std::string text;  // of several documents
    std::vector<size_t> ends;
    std::vector<std::string_view> documents;
  };

  // `rejects`: null in a later reading.
  [[nodiscard]] MapRun pass_over(RejectSink* rejects) const {
    MapRun map{run_, nullptr, max_rejects_};
    map.rejects = rejects;
    return map;
  }

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
