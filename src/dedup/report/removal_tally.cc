#include "dedup/report/removal_tally.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace neardup {
namespace {

__extension__ using WideProduct = unsigned __int128;

constexpr uint32_t kMostBands = 6;  // of distances; with the line of the exact copies, a summary stays on one page

// The powers that decide about estimates have hundreds of bits.
class LongNumber {
 public:
  explicit LongNumber(uint32_t value) : digits_{value} {}
  LongNumber& operator*=(uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t& digit : digits_) {
      carry += uint64_t{digit} * factor;
      digit = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits_.push_back(static_cast<uint32_t>(carry));
    return *this;
  }
  [[nodiscard]] bool at_least(const LongNumber& other) const {
    if (digits_.size() != other.digits_.size()) return digits_.size() > other.digits_.size();
    return !std::lexicographical_compare(digits_.rbegin(), digits_.rend(), other.digits_.rbegin(), other.digits_.rend());
  }

 private:
  std::vector<uint32_t> digits_;  // base 2^32, the lowest first; the highest is not 0
};

// The least number of shared bands that estimates a similarity of at least `from` millionths: the least `shared` for which
// (shared / bands)^(1 / rows) >= from / 10^6, which is shared * 10^(6 rows) >= bands * from^rows.
uint32_t least_shared(const LshPlan& plan, uint32_t from) {
  if (from == 0) return 0;
  LongNumber one(1);
  LongNumber bound(plan.bands);
  for (uint32_t row = 0; row < plan.rows; ++row) {
    one *= Threshold::kOne;
    bound *= from;
  }
  uint32_t low = 1;
  for (uint32_t high = plan.bands; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    LongNumber value = one;
    value *= middle;
    if (value.at_least(bound)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// At most five ranges of one width, of which the last may be narrower.
std::vector<RemovalBand> ranges_of_similarity(uint32_t threshold) {
  constexpr uint32_t kOne = Threshold::kOne;
  const uint32_t width = threshold >= 950'000 ? 10'000 : threshold >= 750'000 ? 50'000 : threshold >= 500'000 ? 100'000 : 200'000;
  std::vector<RemovalBand> bands;
  if (threshold == kOne) bands.push_back({.from = kOne, .to = kOne});
  for (uint32_t to = kOne; to > threshold;) {
    const uint32_t from = to - threshold <= width ? threshold : to - width;
    bands.push_back({.from = from, .to = to});
    to = from;
  }
  bands.push_back({.from = 0, .to = threshold});
  return bands;
}

std::vector<RemovalBand> ranges_of_distance(uint32_t max_distance, uint32_t bits) {
  const uint32_t width = max_distance / kMostBands + 1;
  std::vector<RemovalBand> bands;
  for (uint32_t from = 0; from <= max_distance; from += width)
    bands.push_back({.from = from, .to = std::min(from + width - 1, max_distance)});
  bands.push_back({.from = max_distance + 1, .to = bits});
  return bands;
}

}  // namespace

RemovalMeasure removal_measure(const Options& options, const PairStrategy& strategy) {
  RemovalMeasure measure{.threshold = options.threshold};
  measure.containment = strategy.judge == Judge::kContainment;
  if (strategy.unverified) measure.estimate = strategy.rule.lsh;
  if (strategy.judge == Judge::kHamming) {
    measure.bits = strategy.rule.bits;
    measure.max_distance = strategy.rule.max_distance;
  }
  return measure;
}

double RemovalMeasure::similarity(const Overlap& overlap) const {
  if (estimate.bands == 0) return whole(overlap) == 0 ? 1.0 : static_cast<double>(overlap.common) / static_cast<double>(whole(overlap));
  // A band of r rows agrees with probability s^r, so the share of agreeing bands estimates s^r.
  return std::pow(static_cast<double>(overlap.common) / estimate.bands, 1.0 / estimate.rows);
}

bool RemovalMeasure::less_similar(const Overlap& a, const Overlap& b) const noexcept {
  if (estimate.bands != 0) return a.common < b.common;
  // Two empty sets are equal: 1.
  const auto parts = [&](const Overlap& overlap) -> std::pair<uint64_t, uint64_t> {
    return whole(overlap) == 0 ? std::pair{uint64_t{1}, uint64_t{1}} : std::pair{uint64_t{overlap.common}, whole(overlap)};
  };
  const auto [common_a, union_a] = parts(a);
  const auto [common_b, union_b] = parts(b);
  return WideProduct{common_a} * union_b < WideProduct{common_b} * union_a;
}

RemovalTally::RemovalTally(const RemovalMeasure& measure)
    : measure_(measure),
      bands_(measure.bits != 0 ? ranges_of_distance(measure.max_distance, measure.bits)
                               : ranges_of_similarity(measure.threshold.millionths())) {
  if (measure.estimate.bands == 0) return;
  for (const RemovalBand& band : bands_) shared_from_.push_back(least_shared(measure.estimate, band.from));
}

void RemovalTally::count(const Overlap& overlap) {
  const auto inside = [&](const RemovalBand& band) {
    if (measure_.bits != 0) return measure_.distance(overlap) <= band.to;
    if (!shared_from_.empty()) return overlap.common >= shared_from_[static_cast<size_t>(&band - bands_.data())];
    return measure_.whole(overlap) == 0 || overlap.common * Threshold::kOne >= measure_.whole(overlap) * band.from;
  };
  const auto band = std::ranges::find_if(bands_, inside);
  if (band != bands_.end()) ++band->removed;
}

void RemovalTally::consider(uint32_t document, const Overlap& overlap) {
  const auto place = std::ranges::find_if(least_, [&](const Removed& each) { return measure_.less_similar(overlap, each.overlap); });
  if (place == least_.end() && least_.size() == kLeast) return;
  least_.insert(place, {document, overlap});
  if (least_.size() > kLeast) least_.pop_back();
}

std::vector<RemovalBand> RemovalTally::bands() const {
  std::vector<RemovalBand> bands = bands_;
  if (bands.back().removed == 0) bands.pop_back();
  return std::ranges::all_of(bands, [](const RemovalBand& band) { return band.removed == 0; }) ? std::vector<RemovalBand>{} : bands;
}

}  // namespace neardup
