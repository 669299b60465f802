#include "features/feature_weigher.h"

#include <algorithm>

#include "features/idf.h"

namespace neardup {

FeatureWeigher::FeatureWeigher(const DocumentFrequencyTable& table) : table_(table), rarest_(idf_fixed(table.documents(), 1)) {}

void FeatureWeigher::weigh(std::span<const uint64_t> occurrences, Weighter::Scratch& scratch, std::vector<WeightedFeature>& out) const {
  Weighter(WeightingKind::kTf).weigh(occurrences, scratch, out);
  for (WeightedFeature& feature : out) {
    const uint32_t frequency = table_.frequency(feature.hash);
    const int32_t idf = frequency == 0 ? rarest_ : table_.idf_of_frequency(frequency);
    feature.weight = static_cast<int32_t>(std::min<int64_t>(int64_t{feature.weight} * idf, kMaxWeight));
  }
  table_.check_file();
}

}  // namespace neardup
