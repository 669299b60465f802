#include "jobs/tune/sample_pairs.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/hash.h"
#include "dedup/match/candidates/union_find.h"
#include "neardup/pairs.h"
#include "neardup/texts.h"

namespace neardup {
namespace {

constexpr size_t kListed = 2000;  // pairs of a band

}  // namespace

class SamplePairs::Collector : public PairSink {
 public:
  Collector(SamplePairs& result, const std::vector<std::string_view>& texts) : result_(result), seen_(texts.size()), hashes_(texts.size()) {
    for (size_t band = 0; band < kBands; ++band) groups_.emplace_back(static_cast<uint32_t>(texts.size()));
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
    for (size_t lower = 0; lower <= band; ++lower) groups_[lower].unite(pair.a, pair.b);
    std::set<Listed>& listed = result_.listed_[band];
    listed.insert({mix64(hashes_[pair.a] + mix64(hashes_[pair.b])), pair});
    if (listed.size() > kListed) listed.erase(std::prev(listed.end()));
  }
  void commit() override {}
  void withdraw() noexcept override {}

  // After the last pair.
  void measure_cohesion() {
    uint64_t near = 0;
    for (size_t band = kBands; band-- > 0;) {
      near += result_.bands_[band].pairs;
      std::vector<uint64_t> sizes(groups_[band].size());
      for (uint32_t text = 0; text < sizes.size(); ++text) ++sizes[groups_[band].root(text)];
      uint64_t all = 0;
      for (const uint64_t size : sizes) all += size < 2 ? 0 : size * (size - 1) / 2;
      result_.cohesion_[band] = all == 0 ? 1 : static_cast<double>(near) / static_cast<double>(all);
    }
  }

 private:
  SamplePairs& result_;
  std::vector<UnionFind> groups_;  // by band: connected by its pairs and those above
  std::vector<uint16_t> seen_;  // bands, a bit each
  std::vector<uint64_t> hashes_;
};

SamplePairs::SamplePairs(const Options& options, const std::vector<std::string_view>& texts) {
  Options search = options;
  search.threshold = Threshold(kLowest);
  // For statistics, a pair more or less does not matter, but at 0.5 unrelated texts would be most of the candidates.
  search.miss_probability = Threshold(0.05);
  search.max_candidates = 50;
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
