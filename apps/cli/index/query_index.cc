#include "cli/index/query_index.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/fingerprint_options.h"
#include "cli/options/local_options.h"
#include "cli/read_text.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/io.h"
#include "neardup/sketcher.h"
#include "neardup/tools/fingerprint_files.h"
#include "neardup/tools/index_documents.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/neighbours.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_recipe.h"

namespace neardup::cli {
namespace {

constexpr size_t kMaxAtOnce = 8192;

// The query.
enum class QueryKind { kText, kFile, kFingerprint, kDocuments, kFingerprintFiles };

QueryKind query_kind_of(const Invocation& invocation) {
  const bool inputs = invocation.arguments.size() > 1;
  const int kinds = int{invocation.has("text")} + int{invocation.has("file")} + int{invocation.has("fingerprint")} + int{inputs};
  if (kinds > 1) throw Error(ErrorCode::kUsage, "give exactly one query: --text, --file, --fingerprint or INPUT");
  const bool single = kinds == 1 && !inputs;
  for (const std::string_view name : {"from-fingerprints", "rejects", "summary", "format", "text-field", "id-field", "max-record-bytes"}) {
    if (single && invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for inputs of many queries", name));
  }
  if (invocation.has("text")) return QueryKind::kText;
  if (invocation.has("file")) return QueryKind::kFile;
  if (invocation.has("fingerprint")) return QueryKind::kFingerprint;
  return invocation.has("from-fingerprints") ? QueryKind::kFingerprintFiles : QueryKind::kDocuments;
}

struct AnswerRule {
  uint32_t radius = 0;
  uint64_t limit = std::numeric_limits<uint64_t>::max();  ///< the nearest of each query
  bool counts = false;
};

// Without --max-distance, the largest distance of the index.
AnswerRule rule_of(const Invocation& invocation, const HammingStoreSpec& spec) {
  AnswerRule rule{.radius = invocation.has("max-distance") ? invocation.options.max_distance : spec.radius};
  if (rule.radius > spec.radius) {
    throw Error(ErrorCode::kUsage, fmt::format("--max-distance: {} exceeds {}, the maximum of the index '{}'", rule.radius, spec.radius,
                                               invocation.arguments.front()));
  }
  rule.limit = local_number(invocation, "limit", rule.limit, 1, rule.limit);
  rule.counts = invocation.has("count");
  if (rule.counts && invocation.has("limit"))
    throw Error(ErrorCode::kUsage, "--limit cannot be combined with --count, which lists no neighbours");
  return rule;
}

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

struct QueryWorker {
  Sketcher::Scratch sketch_scratch;
  std::vector<uint32_t> sketch;
  HammingStoreScratch scratch;
  std::vector<HammingHit> hits;
};

// One query a document, by options.recipe; run.sink is `sink`.
template <typename Code>
Summary answer_documents(const HammingStore<Code>& store, const AnswerRule& rule, const Options& options, const MapRun& run,
                         const NeighbourSink& sink) {
  const Sketcher sketcher(run_recipe(options));
  const uint32_t threads = plan_run(options).threads;
  std::vector<QueryWorker> workers(threads);
  const MapDocument map = [&](uint32_t number, const Record& record, std::string& piece) {
    QueryWorker& worker = workers[number];
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

// Answers `codes`, one name each. Does not commit.
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

// Answers everything from the reader, in batches of what is available without waiting. Returns how many were too short. Does not commit.
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
    if (codes.size() == kMaxAtOnce || reader.waiting()) answer();
  }
  answer();
  return too_short;
}

template <typename Code>
class IndexQuery {
 public:
  IndexQuery(const Invocation& invocation, Reporter& reporter, const HammingStore<Code>& store)
      : invocation_(invocation),
        reporter_(reporter),
        store_(store),
        folder_(invocation.arguments.front()),
        inputs_(invocation.arguments.begin() + 1, invocation.arguments.end()),
        rule_(rule_of(invocation, store.spec())),
        output_(invocation.value("output", "-")),
        form_(fingerprint_text_option("fingerprint-format", invocation.value("fingerprint-format", "hex"))) {
    check_fingerprint_text(form_, Code::kBits);
    if (inputs_.empty()) inputs_ = {"-"};
    // A stream of answers leaves nothing incomplete, and must be interruptible while it waits for input.
    if (output_ == "-") end_by_interrupts();
  }

  int run(QueryKind asked) {
    switch (asked) {
      case QueryKind::kText:
        return single({fingerprint_of(invocation_.value("text"), "--text", run_recipe(options()))});
      case QueryKind::kFile: {
        const std::string path = invocation_.value("file");
        const std::string text = read_utf8(path, invocation_.options.charset, reporter_);
        return single({fingerprint_of(text, fmt::format("'{}'", path), run_recipe(options()))});
      }
      case QueryKind::kFingerprint:
        return single(given_fingerprints());
      case QueryKind::kFingerprintFiles:
        return fingerprint_files();
      case QueryKind::kDocuments:
        break;
    }
    return documents();
  }

 private:
  // With the recipe of the index.
  [[nodiscard]] Options options() const {
    return with_index_recipe(folder_, store_.spec(), invocation_.options, invocation_.has("recipe"));
  }
  [[nodiscard]] NeighbourFormat format() const { return {.jsonl = invocation_.has("jsonl"), .counts = rule_.counts}; }

  std::vector<Fingerprint128> given_fingerprints() const {
    std::vector<Fingerprint128> codes;
    for (const std::string& text : invocation_.values("fingerprint")) {
      const auto code = parse_fingerprint(form_, Code::kBits, text);
      if (!code) {
        throw Error(ErrorCode::kUsage, fmt::format("--fingerprint: expected {}, which the index '{}' has, not '{}'",
                                                   describe_fingerprint_text(form_, Code::kBits), folder_, text));
      }
      codes.push_back(*code);
    }
    return codes;
  }

  // Each is named by its own digits.
  int single(const std::vector<Fingerprint128>& codes) {
    check_outputs({output_}, std::vector<std::string>{invocation_.value("file")});
    const auto sink = make_neighbour_sink(output_, format(), nullptr);
    std::vector<Code> parts;
    std::vector<std::string> names;
    for (const Fingerprint128& code : codes) {
      parts.push_back(narrowed<Code>(code));
      append_fingerprint(form_, Code::kBits, code, names.emplace_back());
    }
    answer_all<Code>(store_, rule_, parts, names, invocation_.options.threads, *sink);
    sink->commit();
    if (!rule_.counts && sink->neighbours() == 0) reporter_.note(fmt::format("no match within distance {} in '{}'", rule_.radius, folder_));
    return kExitOk;
  }

  void announce(const std::string& what) const {
    reporter_.start(fmt::format("{}, index '{}', distance at most {}", what, folder_, rule_.radius),
                    fmt::format(R"("index":{},"max_distance":{})", json_quote(folder_), rule_.radius));
  }

  int documents() {
    Options options = this->options();
    options.max_distance = rule_.radius;
    const RunPlan plan = plan_run(options);
    const auto source = open_inputs(inputs_, options, plan, reporter_, {.once = true});
    check_effects(invocation_, nullptr, input_kinds(*source));
    RunOutputs outputs(invocation_, {"output"});
    outputs.check(*source);
    const auto sink = make_neighbour_sink(output_, format(), source.get());
    const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
    announce("recipe " + recipe_label(plan.recipe));
    sink->flush();
    MapRun run;
    run.source = source.get();
    run.sink = sink.get();
    run.rejects = rejects.get();
    run.max_rejects = options.max_rejects;
    run.stop = interrupted;
    run.progress = [&](const Progress& progress) { reporter_.progress(progress); };
    const Summary summary = answer_documents(store_, rule_, options, run, *sink);
    return finish(outputs, *sink, summary.short_texts, {summary.rejected_by_kind, kTextField}, summary.warnings);
  }

  int fingerprint_files() {
    for (const std::string_view name : {"format", "text-field", "id-field", "charset", "max-record-bytes"}) {
      if (invocation_.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for documents, not for fingerprints", name));
    }
    RunOutputs outputs(invocation_, {"output"});
    outputs.check(inputs_);
    const auto sink = make_neighbour_sink(output_, format(), nullptr);
    std::unique_ptr<PieceSink> rejects;
    FingerprintReader::Reject reject;
    if (outputs.has("rejects")) {
      rejects = make_piece_sink(outputs.path("rejects"));
      reject = [&](std::string_view line) { rejects->append({}, std::string(line) + "\n"); };
    }
    if (invocation_.has("recipe")) static_cast<void>(options());
    FingerprintReader reader(inputs_, {.bits = Code::kBits, .text = form_, .recipe_id = store_.spec().recipe_id}, std::move(reject));
    announce("fingerprints");
    sink->flush();
    const uint64_t too_short = answer_fingerprints(store_, rule_, reader, invocation_.options.threads, interrupted, *sink);
    check_rejects(invocation_.options.max_rejects, reader.reject_totals());
    sink->commit();
    if (rejects) rejects->commit();
    return finish(outputs, *sink, too_short, {reader.rejects().by_kind(), kFingerprintField}, reader.warnings());
  }

  struct Rejects {
    RejectCounts by_kind;
    std::string_view field;  // that may be missing
  };
  int finish(RunOutputs& outputs, const NeighbourSink& sink, uint64_t too_short, const Rejects& rejects,
             const std::vector<std::string>& warnings) {
    const uint64_t rejected = rejects.by_kind.total();
    const uint64_t none = sink.queries() - sink.answered() - too_short;
    RunReport report{.text = {}, .json = {}, .warnings = warnings};
    report.text = fmt::format("{} = with neighbours {} + without {} + too short {} + rejected {}; {}\n",
                              counted(sink.queries() + rejected, "query", "queries"), grouped(sink.answered()), grouped(none),
                              grouped(too_short), grouped(rejected), counted(sink.neighbours(), "neighbour"));
    if (rejected > 0) report.text += fmt::format("rejected: {}: {}\n", counted(rejected, "record"), rejects.by_kind.to_text(rejects.field));
    report.json =
        fmt::format(R"({{"read":{},"with_neighbours":{},"without":{},"too_short":{},"rejected":{},"rejected_by_kind":{},"neighbours":{}}})",
                    sink.queries() + rejected, sink.answered(), none, too_short, rejected, rejects.by_kind.to_json(), sink.neighbours());
    return outputs.finish(report, rejected, reporter_);
  }

  const Invocation& invocation_;
  Reporter& reporter_;
  const HammingStore<Code>& store_;
  const std::string folder_;
  std::vector<std::string> inputs_;
  const AnswerRule rule_;
  const std::string output_;
  const FingerprintText form_;
};

}  // namespace

void add_index_options(std::vector<LocalOption>& options) {
  constexpr std::string_view kAnswers = "Answers";
  options.insert(options.end(), {
                                    {"--from-fingerprints", "", "Query",
                                     "INPUT holds fingerprints from neardup sketch: JSON Lines, a table, .npy or .bin"},
                                    essential({"--limit", "N", kAnswers, "only the N nearest of each query; for an index [all]"}),
                                    {"--count", "", kAnswers, "only the number of neighbours of each query; for an index"},
                                    essential({"--jsonl", "", kAnswers, "JSON Lines, whatever the name of the output; for an index"}),
                                });
}

int query_index(const Invocation& invocation, Reporter& reporter) {
  const QueryKind asked = query_kind_of(invocation);
  return with_index(invocation.arguments.front(), HammingAccess::kRead,
                    [&]<typename Code>(HammingStore<Code>& store) { return IndexQuery<Code>(invocation, reporter, store).run(asked); });
}

}  // namespace neardup::cli
