#include "dedup/run.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "dedup/progress.h"
#include "message.h"
#include "neardup/dedup.h"
#include "neardup/io.h"
#include "neardup/pairs.h"
#include "neardup/tools/run_report.h"
#include "run_job.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

struct Opened {
  std::unique_ptr<DocumentSource> source;
  uint32_t references = 0;  // leading sources of it
};

Opened open(const Data& data, const Data* reference) {
  Opened opened{.source = data.open()};
  if (reference == nullptr) return opened;
  std::unique_ptr<DocumentSource> corpus = reference->open();
  opened.references = corpus->source_count();
  opened.source = concatenate(std::move(corpus), std::move(opened.source));
  return opened;
}

void add_warnings(const std::vector<std::string>& messages, std::vector<std::string>& warnings) {
  std::ranges::transform(messages, std::back_inserter(warnings), in_python);
}

// The members that both jobs share, and the call without the lock of the interpreter.
template <typename Run>
Summary call_job(Run& run, Summary (*job)(const Options&, const Run&), const Options& options, ProgressBox& box, const StopFunction& stop) {
  run.progress = [&box](const Progress& progress) { box.set(progress); };
  run.stop = stop;
  return job(options, run);
}

}  // namespace

std::shared_ptr<const Verdicts> run_dedup(const DedupCall& call, nb::handle progress) {
  auto verdicts = std::make_shared<Verdicts>();
  ProgressBox box(progress);
  run_job(
      [&](const StopFunction& stop) {
        const Opened opened = open(call.data, call.reference);
        const Settings::Fitted fitted = call.settings.fit(call.data, *opened.source);
        add_warnings(fitted.notes, verdicts->warnings);
        verdicts->reference_sources = opened.references;
        for (uint32_t i = 0; i < opened.source->source_count(); ++i) verdicts->source_names.emplace_back(opened.source->source_name(i));
        VerdictSink sink(*verdicts);
        RejectCollector rejects(*verdicts);
        DedupRun run;
        run.source = opened.source.get();
        run.reference_sources = opened.references;
        run.checkpoint_directory = call.work;
        run.rethreshold = call.rethreshold;
        run.sinks = {&sink};
        run.rejects = &rejects;
        const Summary summary = call_job(run, dedup, fitted.options, box, stop);
        verdicts->summary_json = summary.to_json();
        add_warnings(summary.warnings, verdicts->warnings);
      },
      [&] { box.tick(); });
  box.tick();  // a run of a few milliseconds was not asked yet
  return verdicts;
}

FoundPairs run_pairs(const Data& data, const Settings& settings, nb::handle progress) {
  FoundPairs found;
  ProgressBox box(progress);
  run_job(
      [&](const StopFunction& stop) {
        const Opened opened = open(data, nullptr);
        const Settings::Fitted fitted = settings.fit(data, *opened.source);
        add_warnings(fitted.notes, found.warnings);
        PairCollector sink(*opened.source);
        PairsRun run;
        run.source = opened.source.get();
        run.sink = &sink;
        const Summary summary = call_job(run, pairs, fitted.options, box, stop);
        found.table = sink.table(fitted.options.measure == Measure::kContainment);
        found.summary_json = summary.to_json();
        add_warnings(summary.warnings, found.warnings);
      },
      [&] { box.tick(); });
  box.tick();  // a run of a few milliseconds was not asked yet
  return found;
}

std::vector<std::optional<std::string>> read_texts(const Data& data, const Data* reference,
                                                   const std::vector<std::pair<uint32_t, uint64_t>>& places) {
  std::vector<std::optional<std::string>> texts(places.size());
  run_job([&](const StopFunction& stop) {
    const StopScope scope(&stop);
    const Opened opened = open(data, reference);
    std::vector<std::pair<DocumentId, size_t>> order;  // places, and where their texts belong
    for (size_t i = 0; i < places.size(); ++i) order.push_back({{places[i].first, places[i].second}, i});
    std::ranges::sort(order);
    std::vector<DocumentId> wanted;
    for (const auto& [where, i] : order) {
      if (wanted.empty() || wanted.back() != where) wanted.push_back(where);
    }
    read_places(*opened.source, wanted, [&](const DocumentId& where, const Record& record) {
      if (!record.problem.empty()) return;
      for (const auto& [same, i] : std::ranges::equal_range(order, where, {}, &std::pair<DocumentId, size_t>::first))
        texts[i] = record.text;
    });
  });
  return texts;
}

std::vector<RecordReader::Item> RecordReader::next() {
  const Unlocked unlocked;
  const std::lock_guard lock(mutex_);
  if (!source_) source_ = data_->open();
  std::vector<Item> items;
  while (items.empty()) {
    const std::unique_ptr<Batch> batch = source_->next();
    if (!batch) break;
    batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      const bool whole = record.raw.data() == record.text.data() && record.raw.size() == record.text.size();
      items.push_back({.rejected = !record.problem.empty(),
                       .raw = whole ? std::string() : std::string(record.raw),
                       .id = std::string(record.id),
                       .text = whole ? std::string(record.text) : std::string()});
    });
  }
  return items;
}

}  // namespace neardup::python
