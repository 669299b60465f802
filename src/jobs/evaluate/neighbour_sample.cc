#include "neardup/tools/neighbour_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <queue>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "index/prefix/prefix_index.h"
#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "neardup/stop.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/run_recipe.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

void check_measurable(const Options& options, const Recipe& recipe) {
  const auto refuse = [](std::string_view what) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the exact truth of a sample is by the Jaccard similarity of a MinHash recipe, not {}", what));
  };
  if (recipe.fingerprints()) refuse(fmt::format("by the fingerprints of recipe '{}'", recipe.name));
  if (options.measure == Measure::kContainment) refuse("by containment");
  if (options.verify == Verify::kCosine) refuse("by the cosine");
  if (options.verify == Verify::kWeightedJaccard) refuse("by weighted features");
}

struct SampledText {
  DocumentId where;
  ExactHash exact;
  std::vector<uint64_t> features;
};

// The features of one text after the other, as a run makes them.
class TextFeatures {
 public:
  TextFeatures(const Sketcher& sketcher, const Options& options)
      : sketcher_(sketcher), blocks_(!options.block_on.empty()), min_length_(options.min_length) {}

  struct Result {
    ExactHash exact;
    std::span<const uint64_t> features;
  };
  Result of(const Record& record) {
    if (blocks_) SketcherAccess::enter_block(sketcher_, record.block, scratch_);
    Result result{.exact = sketcher_.exact(record.text, scratch_).exact, .features = {}};
    if (SketcherAccess::has_length(scratch_, min_length_)) result.features = sketcher_.features(record.text, scratch_);
    return result;
  }

 private:
  const Sketcher& sketcher_;
  const bool blocks_;
  const uint64_t min_length_;
  Sketcher::Scratch scratch_;
};

// The documents with the smallest hashes of their places: uniform, and independent of batches and threads.
class Drawing {
 public:
  explicit Drawing(const NeighbourRun& run) : run_(run) {}

  void offer(const Record& record, TextFeatures& features) {
    if (record.where.source < run_.reference_sources) return;
    const uint64_t hash = mix64(splitmix64(run_.seed, record.where.source) ^ record.where.row * 0x9E3779B97F4A7C15u);
    if (drawn_.size() == run_.sample && drawn_.top().hash <= hash) return;
    const auto made = features.of(record);
    drawn_.push({hash, {record.where, made.exact, {made.features.begin(), made.features.end()}}});
    if (drawn_.size() > run_.sample) drawn_.pop();
  }

  // In input order.
  std::vector<SampledText> take() {
    std::vector<SampledText> texts;
    for (; !drawn_.empty(); drawn_.pop()) texts.push_back(drawn_.top().text);
    std::ranges::sort(texts, {}, &SampledText::where);
    return texts;
  }

 private:
  struct Drawn {
    uint64_t hash;
    SampledText text;
    friend bool operator<(const Drawn& a, const Drawn& b) { return a.hash < b.hash; }
  };
  const NeighbourRun& run_;
  std::priority_queue<Drawn> drawn_;
};

std::vector<SampledText> draw(const Options& options, const NeighbourRun& run, const Sketcher& sketcher) {
  Drawing drawing(run);
  TextFeatures features(sketcher, options);
  run.source->rewind();
  uint64_t rows_before = 0;
  uint32_t source = 0;
  while (const auto batch = run.source->next()) {
    check_stop();
    // A batch that continues a source begins at the end of the one before it; other sources begin inside it.
    if (batch->source() != source) rows_before = 0;
    source = batch->source();
    batch->read(Batch::Need::kText, {}, [&](uint32_t, const Record& in_batch) {
      if (!in_batch.problem.empty()) return;
      Record record = in_batch;
      if (record.where.source == source) record.where.row += rows_before;
      drawing.offer(record, features);
    });
    rows_before += batch->rows();
  }
  return drawing.take();
}

// Finds the texts of the sample that match a text.
class SampleIndex {
 public:
  SampleIndex(std::span<const SampledText> texts, Threshold threshold) : texts_(texts), threshold_(threshold), frequency_(total(texts)) {
    for (const SampledText& text : texts) frequency_.add(text.features);
    std::vector<uint64_t> prefix;
    for (uint32_t number = 0; number < texts.size(); ++number) {
      by_exact_[texts[number].exact.low].push_back(number);
      frequency_.prefix(texts[number].features, threshold, prefix);
      for (const uint64_t feature : prefix) by_feature_[feature].push_back(number);
    }
  }

  struct Buffers {
    std::vector<uint64_t> prefix;
    std::vector<uint32_t> candidates;
  };
  template <typename Visit>
  void find(const TextFeatures::Result& text, Buffers& buffers, const Visit& visit) const {
    buffers.candidates.clear();
    const auto collect = [&](const auto& lists, uint64_t key) {
      const auto at = lists.find(key);
      if (at != lists.end()) buffers.candidates.insert(buffers.candidates.end(), at->second.begin(), at->second.end());
    };
    collect(by_exact_, text.exact.low);
    frequency_.prefix(text.features, threshold_, buffers.prefix);
    for (const uint64_t feature : buffers.prefix) collect(by_feature_, feature);
    std::ranges::sort(buffers.candidates);
    const auto rest = std::ranges::unique(buffers.candidates);
    buffers.candidates.erase(rest.begin(), rest.end());
    for (const uint32_t number : buffers.candidates) {
      if (texts_[number].exact == text.exact) {
        visit(number, static_cast<uint32_t>(Threshold::kOne));
        continue;
      }
      const Overlap overlap = overlap_of(texts_[number].features, text.features);
      if (overlap.common == 0 || !threshold_.met_by(overlap)) continue;
      visit(number, static_cast<uint32_t>(overlap.common * Threshold::kOne / overlap.union_size()));
    }
  }

 private:
  static uint64_t total(std::span<const SampledText> texts) {
    uint64_t features = 0;
    for (const SampledText& text : texts) features += text.features.size();
    return features;
  }
  static Overlap overlap_of(std::span<const uint64_t> a, std::span<const uint64_t> b) {
    Overlap overlap{0, static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size())};
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      overlap.common += a[i] == b[j];
      const bool next_a = a[i] <= b[j];
      j += b[j] <= a[i];
      i += next_a;
    }
    return overlap;
  }

  std::span<const SampledText> texts_;
  const Threshold threshold_;
  FeatureFrequency frequency_;  // of the sample: where the corpus has the same boilerplate, so has the sample
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_feature_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_exact_;
};

struct Match {
  uint32_t sampled;
  uint32_t similarity_millionths;
};

// The pieces are matches; here they get the place of the document.
class MatchSink final : public PieceSink {
 public:
  MatchSink(std::span<const SampledText> texts, const std::function<void(const Neighbour&)>& visit) : texts_(texts), visit_(visit) {}

  void append(const DocumentId& where, std::string_view piece) override {
    for (size_t at = 0; at < piece.size(); at += sizeof(Match)) {
      Match match{};
      std::memcpy(&match, piece.data() + at, sizeof match);
      const DocumentId& of = texts_[match.sampled].where;
      if (of != where) visit_({match.sampled, of, where, match.similarity_millionths});
    }
  }
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  std::span<const SampledText> texts_;
  const std::function<void(const Neighbour&)>& visit_;
};

}  // namespace

std::vector<DocumentId> for_each_neighbour(const Options& options, const NeighbourRun& run,
                                           const std::function<void(const Neighbour&)>& visit) {
  const StopScope scope(&run.stop);
  const Recipe recipe = run_recipe(options);
  check_measurable(options, recipe);
  const Sketcher sketcher(recipe);
  const std::vector<SampledText> texts = draw(options, run, sketcher);
  const SampleIndex index(texts, options.threshold);

  struct Worker {
    TextFeatures features;
    SampleIndex::Buffers buffers{};
  };
  std::vector<Worker> workers;
  for (uint32_t i = 0; i < resolve_threads(options.threads); ++i) workers.push_back({TextFeatures(sketcher, options)});
  const auto map = [&](uint32_t number, const Record& record, std::string& out) {
    if (record.where.source < run.reference_sources) return false;
    Worker& worker = workers[number];
    index.find(worker.features.of(record), worker.buffers, [&](uint32_t sampled, uint32_t similarity) {
      const Match match{sampled, similarity};
      out.append(reinterpret_cast<const char*>(&match), sizeof match);
    });
    return false;
  };
  MatchSink sink(texts, visit);
  map_documents("neighbours", options.threads, map, {run, &sink, options.max_rejects});

  std::vector<DocumentId> places;
  places.reserve(texts.size());
  for (const SampledText& text : texts) places.push_back(text.where);
  return places;
}

}  // namespace neardup
