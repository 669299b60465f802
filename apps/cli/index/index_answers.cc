#include "cli/index/index_answers.h"

#include <optional>
#include <vector>

#include "cli/index/index_store.h"
#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {
namespace {

constexpr size_t kMostAtOnce = 8192;

template <typename Code>
void add_hits(const HammingStore<Code>& store, std::span<const HammingHit> hits, const NeighbourSink& sink, std::string& piece) {
  for (const HammingHit& hit : hits) {
    const std::optional<std::string> name = store.spec().names ? store.name(hit.id) : std::nullopt;
    if (name) {
      sink.add(*name, hit.distance, piece);
    } else {
      sink.add(hit.id, hit.distance, piece);
    }
  }
}

struct Worker {
  Sketcher::Scratch sketch_scratch;
  std::vector<uint32_t> sketch;
  HammingStoreScratch scratch;
  std::vector<HammingHit> hits;
};

}  // namespace

template <typename Code>
Summary answer_documents(const HammingStore<Code>& store, const AnswerRule& rule, const Options& options, const MapRun& run,
                         const NeighbourSink& sink) {
  const Sketcher sketcher(Recipe::load(options.recipe));
  const uint32_t threads = plan_run(options).threads;
  std::vector<Worker> workers(threads);
  const MapDocument map = [&](uint32_t number, const Record& record, std::string& piece) {
    Worker& worker = workers[number];
    worker.sketch.resize(sketcher.sketch_words());
    sink.begin(record.has_id && !record.id.empty() ? std::optional(record.id) : std::nullopt, piece);
    if (sketcher.sketch(record.text, worker.sketch_scratch, worker.sketch).too_short) {
      if (rule.counts) sink.count(std::nullopt, piece);
      return true;
    }
    const Code code = narrowed<Code>(Sketcher::fingerprint(worker.sketch));
    if (rule.counts) {
      sink.count(store.count(code, rule.radius, worker.scratch), piece);
    } else {
      store.nearest(code, rule.limit, rule.radius, worker.scratch, worker.hits);
      add_hits(store, worker.hits, sink, piece);
    }
    return false;
  };
  return map_documents("query", threads, map, run);
}

template <typename Code>
void answer_all(const HammingStore<Code>& store, const AnswerRule& rule, std::span<const Code> codes, std::span<const std::string> names,
                uint32_t threads, NeighbourSink& sink) {
  std::string piece;
  const auto answer = [&](size_t query, const auto& add) {
    piece.clear();
    sink.begin(names[query], piece);
    add();
    sink.append({}, piece);
  };
  const auto list = [&](size_t query, std::span<const HammingHit> hits) { answer(query, [&] { add_hits(store, hits, sink, piece); }); };
  const auto count = [&](size_t query, uint64_t neighbours) { answer(query, [&] { sink.count(neighbours, piece); }); };
  if (rule.counts) {
    store.count_all(codes, rule.radius, threads, count);
  } else if (rule.limit != AnswerRule().limit) {
    store.nearest_all(codes, rule.limit, rule.radius, threads, list);
  } else {
    store.query_all(codes, rule.radius, threads, list);
  }
  sink.flush();
}

template <typename Code>
uint64_t answer_fingerprints(const HammingStore<Code>& store, const AnswerRule& rule, FingerprintReader& reader, uint32_t threads,
                             const std::function<bool()>& stop, NeighbourSink& sink) {
  std::vector<Code> codes;
  std::vector<std::string> names;
  uint64_t too_short = 0;
  const auto answer = [&] {
    if (stop()) throw Error(ErrorCode::kStopped, "stopped on request");
    answer_all<Code>(store, rule, codes, names, threads, sink);
    codes.clear();
    names.clear();
  };
  FingerprintEntry entry;
  std::string piece;
  while (reader.next(entry)) {
    if (entry.too_short) {
      answer();  // in the order of the input
      ++too_short;
      piece.clear();
      sink.begin(entry.name, piece);
      if (rule.counts) sink.count(std::nullopt, piece);
      sink.append({}, piece);
    } else {
      codes.push_back(narrowed<Code>(entry.code));
      names.push_back(std::move(entry.name));
    }
    if (codes.size() == kMostAtOnce || reader.waiting()) answer();
  }
  answer();
  return too_short;
}

template Summary answer_documents(const HammingStore<Fingerprint64>&, const AnswerRule&, const Options&, const MapRun&,
                                  const NeighbourSink&);
template Summary answer_documents(const HammingStore<Fingerprint128>&, const AnswerRule&, const Options&, const MapRun&,
                                  const NeighbourSink&);
template void answer_all(const HammingStore<Fingerprint64>&, const AnswerRule&, std::span<const Fingerprint64>,
                         std::span<const std::string>, uint32_t, NeighbourSink&);
template void answer_all(const HammingStore<Fingerprint128>&, const AnswerRule&, std::span<const Fingerprint128>,
                         std::span<const std::string>, uint32_t, NeighbourSink&);
template uint64_t answer_fingerprints(const HammingStore<Fingerprint64>&, const AnswerRule&, FingerprintReader&, uint32_t,
                                      const std::function<bool()>&, NeighbourSink&);
template uint64_t answer_fingerprints(const HammingStore<Fingerprint128>&, const AnswerRule&, FingerprintReader&, uint32_t,
                                      const std::function<bool()>&, NeighbourSink&);

}  // namespace neardup::cli
