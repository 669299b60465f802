#include "jobs/tune/sample_pairs.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "base/hash.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/match/for_groups.h"
#include "neardup/pairs.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

constexpr size_t kListed = 2000;          // pairs of a band
constexpr uint64_t kMostCandidates = 50;  // of a text in a large group

}  // namespace

class SamplePairs::Collector : public PairSink {
 public:
  Collector(SamplePairs& result, const std::vector<std::string_view>& texts)
      : result_(result), seen_(texts.size()), hashes_(texts.size()), equal_(static_cast<uint32_t>(texts.size())) {
    std::ranges::transform(texts, hashes_.begin(), [](std::string_view text) { return hash64(text); });
  }

  void append(const End& a, const End& b, double similarity) override {
    const SamplePair pair{static_cast<uint32_t>(a.where.row - 1), static_cast<uint32_t>(b.where.row - 1), similarity};
    const size_t band = band_of(similarity);
    Band& counts = result_.bands_[band];
    ++counts.pairs;
    for (const uint32_t text : {pair.a, pair.b}) {
      const auto bit = static_cast<uint16_t>(1u << band);
      counts.texts += (seen_[text] & bit) == 0;
      seen_[text] |= bit;
    }
    if (similarity >= kEqual) equal_.unite(pair.a, pair.b);
    if (edges_.size() < kEdges) edges_.push_back({pair.a, pair.b, static_cast<uint32_t>(band)});
    std::set<Listed>& listed = result_.listed_[band];
    listed.insert({mix64(hashes_[pair.a] + mix64(hashes_[pair.b])), pair});
    if (listed.size() > kListed) listed.erase(std::prev(listed.end()));
  }
  void commit() override {}
  void withdraw() noexcept override {}

  // After the last pair. Texts that the recipe takes for equal count once: they would only repeat what the others say.
  void measure_cohesion() {
    for (Edge& edge : edges_) {
      const auto [a, b] = std::minmax({equal_.root(edge.a), equal_.root(edge.b)});
      edge.a = a;
      edge.b = b;
    }
    std::erase_if(edges_, [](const Edge& edge) { return edge.a == edge.b; });
    std::ranges::sort(edges_, std::greater<>());  // the highest band of a pair first
    const auto same_pair = [](const Edge& x, const Edge& y) { return x.a == y.a && x.b == y.b; };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), same_pair), edges_.end());

    UnionFind groups(equal_.size());
    uint64_t near = 0;
    for (size_t band = kBands; band-- > 0;) {
      for (const Edge& edge : edges_) {
        if (edge.band != band) continue;
        groups.unite(edge.a, edge.b);
        ++near;
      }
      result_.cohesion_[band] = near == 0 ? 1 : std::min(1.0, static_cast<double>(near) / static_cast<double>(pairs_inside(groups)));
    }
  }

 private:
  struct Edge {
    uint32_t a;
    uint32_t b;
    uint32_t band;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  static constexpr double kEqual = 1 - 1e-6;         // similarities are rounded to six digits
  static constexpr size_t kEdges = size_t{2} << 20;  // the first ones, in the order of the texts, tell enough

  // Those that the search can find: in a large group it gives up after kMostCandidates of a text.
  static uint64_t findable_pairs(uint64_t texts) noexcept {
    if (texts < 2) return 0;
    if (texts <= kSmallGroup) return texts * (texts - 1) / 2;
    return kMostCandidates * (kMostCandidates + 1) / 2 + (texts - kMostCandidates - 1) * kMostCandidates;
  }

  static uint64_t pairs_inside(UnionFind& groups) {
    std::vector<uint64_t> sizes(groups.size());
    for (uint32_t text = 0; text < groups.size(); ++text) ++sizes[groups.root(text)];
    return std::transform_reduce(sizes.begin(), sizes.end(), uint64_t{0}, std::plus<>(),
                                 [](uint64_t size) { return findable_pairs(size); });
  }

  SamplePairs& result_;
  std::vector<uint16_t> seen_;  // bands, a bit each
  std::vector<uint64_t> hashes_;
  UnionFind equal_;
  std::vector<Edge> edges_;
};

SamplePairs::SamplePairs(const Options& options, const std::vector<std::string_view>& texts) {
  Options search = options;
  search.threshold = Threshold(kLowest);
  // For statistics, a pair more or less does not matter, but at 0.5 unrelated texts would be most of the candidates.
  search.miss_probability = Threshold(0.05);
  search.max_candidates = kMostCandidates;
  const auto source = make_text_source(texts);
  Collector collector(*this, texts);
  PairsRun run;
  run.source = source.get();
  run.sink = &collector;
  pairs(search, run);
  collector.measure_cohesion();
}

size_t SamplePairs::band_of(double similarity) noexcept {
  // Similarities are rounded to six digits; a half of the last one keeps 0.55 in the band that begins there.
  const double steps = (similarity - kLowest) / kWidth + 1e-5;
  return steps <= 0 ? 0 : std::min(static_cast<size_t>(steps), kBands - 1);
}

uint64_t SamplePairs::total() const noexcept {
  uint64_t sum = 0;
  for (const Band& band : bands_) sum += band.pairs;
  return sum;
}

std::vector<SamplePair> SamplePairs::choose(size_t band, size_t most, size_t per_text) const {
  std::vector<SamplePair> chosen;
  std::unordered_map<uint32_t, size_t> used;
  for (const Listed& listed : listed_[band]) {
    if (chosen.size() == most) break;
    if (used[listed.pair.a] >= per_text || used[listed.pair.b] >= per_text) continue;
    ++used[listed.pair.a];
    ++used[listed.pair.b];
    chosen.push_back(listed.pair);
  }
  return chosen;
}

}  // namespace neardup
