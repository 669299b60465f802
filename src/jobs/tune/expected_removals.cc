#include "jobs/tune/expected_removals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/parallel.h"
#include "jobs/tune/consistent_key.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

constexpr double kNormal95 = 1.96;

// Removals and documents of one key, or of all keys.
struct Tally {
  uint64_t documents = 0;
  uint64_t exact = 0;
  uint64_t near = 0;
  double weighted_near = 0;  // each as 1 / (probability that the sample has its keeper too)

  [[nodiscard]] double likely() const noexcept { return static_cast<double>(exact) + weighted_near; }
};

class SourceTallies {
 public:
  explicit SourceTallies(size_t sources) : all_(sources) {}

  void add(uint32_t source, uint64_t key, const Tally& more) {
    for (Tally* tally : {&all_[source], &of_key_[{source, key}], &total_of_key_[key], &total_}) {
      tally->documents += more.documents;
      tally->exact += more.exact;
      tally->near += more.near;
      tally->weighted_near += more.weighted_near;
    }
  }
  [[nodiscard]] const Tally& of(uint32_t source) const { return all_[source]; }
  [[nodiscard]] const Tally& total() const { return total_; }

  // The standard error of the ratio of removals to documents. Documents of one key are sampled together, so keys are what was drawn.
  [[nodiscard]] double error_of(uint32_t source) const {
    Residuals residuals;
    for (auto at = of_key_.lower_bound({source, 0}); at != of_key_.end() && at->first.first == source; ++at)
      residuals.add(at->second, all_[source]);
    return residuals.error(all_[source]);
  }
  [[nodiscard]] double error_of_all() const {
    Residuals residuals;
    for (const auto& [key, tally] : total_of_key_) residuals.add(tally, total_);
    return residuals.error(total_);
  }

 private:
  struct Residuals {
    double squares = 0;
    double keys = 0;

    void add(const Tally& of_key, const Tally& whole) {
      const double ratio = whole.likely() / static_cast<double>(whole.documents);
      const double residual = of_key.likely() - ratio * static_cast<double>(of_key.documents);
      squares += residual * residual;
      ++keys;
    }
    // At least that of as many independent documents as there are keys, with one more removal and one more kept: a sample in which nothing
    // was removed does not prove that nothing is.
    [[nodiscard]] double error(const Tally& whole) const {
      const auto documents = static_cast<double>(whole.documents);
      const double p = (std::min(whole.likely(), documents) + 1) / (documents + 2);
      return std::max(std::sqrt(squares) / documents, std::sqrt(p * (1 - p) / keys));
    }
  };

  std::vector<Tally> all_;
  std::map<std::pair<uint32_t, uint64_t>, Tally> of_key_;
  std::map<uint64_t, Tally> total_of_key_;
  Tally total_;
};

TuneExpected::Removals removals_of(const Tally& tally, double error, bool whole_corpus, double share) {
  if (tally.documents == 0) return {0, 0, whole_corpus ? 0.0 : 1.0};
  const auto documents = static_cast<double>(tally.documents);
  const double counted = static_cast<double>(tally.exact + tally.near) / documents;
  if (whole_corpus) return {counted, counted, counted};
  const double likely = std::min(1.0, tally.likely() / documents);
  const double margin = kNormal95 * error * std::sqrt(1 - share);
  return {std::max(0.0, counted - margin), likely, std::min(1.0, likely + margin)};
}

// 1 / (probability that the sample has its keeper, too) of each removed text; 0 for the others.
std::vector<double> removal_weights(std::span<const std::string_view> texts, const std::vector<TextVerdict>& verdicts, bool whole_corpus,
                                    const CleanChain& cleaners, uint32_t threads) {
  std::vector<double> weights(texts.size());
  const ConsistentKey keys;
  struct WeightScratch {
    ConsistentKey::Scratch keys;
    Cleaner::Scratch cleaners[2];
  };
  std::vector<WeightScratch> scratches(resolve_threads(threads));
  parallel_for(resolve_threads(threads), texts.size(), 64, [&](uint32_t worker, size_t i) {
    if (verdicts[i].decision != Decision::kRemove) return;
    weights[i] = 1;
    if (whole_corpus) return;
    WeightScratch& scratch = scratches[worker];
    const std::string_view removed = cleaners.clean(texts[i], scratch.cleaners[0]);
    const std::string_view keeper = cleaners.clean(texts[verdicts[i].keeper], scratch.cleaners[1]);
    weights[i] = ConsistentKey::weight_of(keys.similarity(removed, keeper, scratch.keys));
  });
  return weights;
}

}  // namespace

TuneExpected expected_removals(std::span<const NearSample::Document> sample, bool whole_corpus, double share, const Options& options,
                               std::span<const TuneCorpus::Source> sources, const CleanChain& cleaners) {
  std::vector<std::string_view> texts(sample.size());
  std::ranges::transform(sample, texts.begin(), [](const NearSample::Document& document) { return std::string_view(document.text); });
  const std::vector<TextVerdict> verdicts = dedup_texts(texts, options);
  const std::vector<double> weights = removal_weights(texts, verdicts, whole_corpus, cleaners, options.threads);

  SourceTallies tallies(sources.size());
  for (size_t i = 0; i < sample.size(); ++i) {
    const NearSample::Document& document = sample[i];
    tallies.add(document.where.source, document.key,
                {.documents = 1, .exact = 0, .near = weights[i] > 0 ? 1u : 0u, .weighted_near = weights[i]});
    for (const auto& [source, copies] : document.others) {
      tallies.add(source, document.key, {.documents = copies, .exact = copies, .near = 0, .weighted_near = 0});
    }
  }

  TuneExpected expected;
  if (tallies.total().documents > 0) {
    expected.all = removals_of(tallies.total(), tallies.error_of_all(), whole_corpus, share);
    expected.exact = static_cast<double>(tallies.total().exact) / static_cast<double>(tallies.total().documents);
  }
  for (uint32_t i = 0; i < sources.size(); ++i) {
    const Tally& tally = tallies.of(i);
    const double error = tally.documents == 0 ? 0 : tallies.error_of(i);
    expected.sources.push_back({sources[i].name, sources[i].documents, tally.documents, removals_of(tally, error, whole_corpus, share)});
  }
  return expected;
}

}  // namespace neardup
