#include "neardup/tools/sample_removals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/percent.h"
#include "jobs/tune/consistent_key.h"
#include "jobs/tune/expected_removals.h"
#include "jobs/tune/near_sample.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/run_recipe.h"
#include "sketch/text_chain.h"
#include "text/clean/cleaner.h"

namespace neardup {
namespace {

// What a worker passes on of a document; the text follows if the sample may want it.
struct SampledPiece {
  uint64_t key;
  uint64_t exact;
  uint32_t text_bytes;
  bool wanted;
};

class RemovalSampleSink : public PieceSink {
 public:
  RemovalSampleSink(NearSample& sample, size_t sources) : documents_of(sources), sample_(sample) {}

  void append(const DocumentId& where, std::string_view bytes) override {
    SampledPiece piece;
    std::memcpy(&piece, bytes.data(), sizeof piece);
    if (where.source >= documents_of.size()) documents_of.resize(where.source + size_t{1});
    ++documents_of[where.source];
    if (piece.wanted) sample_.add(piece.key, piece.exact, where, {}, bytes.substr(sizeof piece, piece.text_bytes));
  }
  void commit() override {}
  void withdraw() noexcept override {}

  std::vector<uint64_t> documents_of;

 private:
  NearSample& sample_;
};

struct SampleWorker {
  Cleaner::Scratch cleaner;
  ConsistentKey::Scratch keys;
  TextChain::Scratch chain;
};

CleanChain cleaners_of(const Recipe& recipe) {
  return CleanChain::parse(recipe.clean, {.line_lists = recipe.line_lists});
}

void require_text_recipe(const Recipe& recipe, std::string_view option) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: a sample cannot predict what '{}' removes: {}", option, recipe.name, why));
  };
  if (recipe.needs_fitting()) refuse("its weights are fitted on the whole corpus");
  if (recipe.weighting == Weighting::kJiebaKeywords || recipe.top_k > 0) {
    refuse("it compares a few features of each text, and texts with the same ones do not come into the sample together");
  }
  if (recipe.code.normalize_identifiers) {
    refuse("it ignores the names in code, and programs with other names do not come into the sample together");
  }
}

// The options of the run inside the sample, whose texts were all read already. Slices change nothing while the first document is kept.
Options options_in_sample(const Options& options) {
  Options inside = options;
  inside.batch = 0;
  inside.strict = false;
  inside.max_rejects = {};
  return inside;
}

}  // namespace

SampleShare SampleShare::parse(std::string_view text) {
  const std::optional<uint32_t> millionths = parse_percent(text);
  if (!millionths || *millionths == 0) {
    throw Error(ErrorCode::kUsage, fmt::format("sample: expected a percentage above 0% and at most 100%, such as 1%, not '{}'", text));
  }
  return {*millionths};
}

void require_sampling(const Options& options) {
  const auto refuse = [](std::string_view option, std::string_view why) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: cannot be combined with --sample: {}", option, why));
  };
  if (options.measure == Measure::kContainment)
    refuse("measure", "a contained text and its container do not come into the sample together");
  if (!options.protect.empty()) refuse("protect", "the sample has texts, not the fields of their records");
  if (!options.block_on.empty()) refuse("block_on", "the sample has texts, not the fields of their records");
  if (options.keep != "auto" && options.keep != "first" && options.keep != "source-order") {
    refuse("keep", "the sample has only the first of several exact copies, so it predicts runs that keep the first document");
  }
  if (options.max_removed.millionths() < Threshold::kOne) refuse("max_removed", "the prediction has a range; compare it yourself");
  if (options.max_cluster > 0) refuse("max_cluster", "the sample has only a part of most clusters");
  if (options.weighs_features() && !run_recipe(options).fingerprints()) refuse("verify", "its weights are fitted on the whole corpus");
  require_text_recipe(run_recipe(options), "recipe");
  if (const std::optional<Recipe> also = run_also(options)) require_text_recipe(*also, "also");
}

SampledRemovals sample_removals(const Options& options, const SampleRun& run) {
  const StopScope scope(&run.stop);
  require_sampling(options);
  const Recipe recipe = run_recipe(options);
  const TextChain chain(recipe);
  const CleanChain cleaners = cleaners_of(recipe);
  const ConsistentKey keys;
  const uint64_t bound = ConsistentKey::bound_of_share(run.share.value());
  const bool everything = run.share.millionths == kWholeMillionths;

  // A key with very many texts is a template; the sample has as many of them as of all others together.
  NearSample sample({.texts = run.sample_documents, .bytes = run.sample_bytes, .texts_per_key = run.sample_documents});
  RemovalSampleSink sink(sample, run.source->source_count());
  MapRun map{run, nullptr, options.max_rejects};
  map.sink = &sink;
  std::vector<SampleWorker> workers(resolve_threads(options.threads));
  const auto look_at = [&](uint32_t number, const Record& record, std::string& out) {
    SampleWorker& worker = workers[number];
    SampledPiece piece{};
    piece.key = keys.of(cleaners.clean(record.text, worker.cleaner), worker.keys).key;
    // The bound of the sample only falls: what it excludes now, the sample would not take later.
    const uint64_t taken = sample.bound();
    piece.wanted = (everything || piece.key < bound) && (piece.key < taken || taken == std::numeric_limits<uint64_t>::max());
    if (piece.wanted) {
      piece.exact = hash64(chain.normalize(record.text, worker.chain));
      piece.text_bytes = static_cast<uint32_t>(record.text.size());
    }
    out.append(reinterpret_cast<const char*>(&piece), sizeof piece);
    if (piece.wanted) out.append(record.text);
    return false;
  };

  SampledRemovals result;
  result.summary = map_documents("sample", options.threads, look_at, map);
  result.reduced = !sample.complete();
  result.share = std::min(run.share.value(), sample.share());
  result.all = everything && !result.reduced;
  const std::vector<NearSample::Document> documents = sample.take();
  std::vector<TuneCorpus::Source> sources;
  sink.documents_of.resize(run.source->source_count());
  for (uint32_t i = 0; i < run.source->source_count(); ++i) {
    sources.push_back({std::string(run.source->source_name(i)), sink.documents_of[i]});
    result.documents += sink.documents_of[i];
  }
  result.expected = expected_removals(documents, result.all, result.share, options_in_sample(options), sources, cleaners);
  for (const TuneExpected::Source& source : result.expected.sources) result.sampled += source.sampled;
  return result;
}

}  // namespace neardup
