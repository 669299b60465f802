#include "jobs/report/tally/removal_histogram.h"

#include <algorithm>

#include "neardup/tools/threshold.h"

namespace neardup {
namespace {

constexpr uint32_t kSimilarityBins = Threshold::kOne / RemovalHistogram::kBinWidth;

// 1 itself is in the last bin.
uint32_t bin_of(uint32_t similarity) {
  return std::min(similarity / RemovalHistogram::kBinWidth, kSimilarityBins - 1);
}

}  // namespace

uint32_t RemovalHistogram::distance(uint32_t similarity) const noexcept {
  // The similarity is the share of equal bits, rounded to a millionth: with at most 128 bits the nearest whole number is the exact one.
  const uint64_t equal = (uint64_t{similarity} * bits_ + Threshold::kOne / 2) / Threshold::kOne;
  return bits_ - static_cast<uint32_t>(std::min<uint64_t>(equal, bits_));
}

void RemovalHistogram::add(const ReportRow& row) {
  if (row.near()) ++counts_[bits_ != 0 ? distance(row.similarity) : bin_of(row.similarity)];
}

std::vector<RemovalHistogram::Bin> RemovalHistogram::bins(uint32_t bound) const {
  uint32_t first = 0;
  uint32_t last = kSimilarityBins - 1;
  if (bits_ != 0) {
    last = std::min(bound, bits_);
    for (uint32_t i = last; i <= bits_; ++i) {
      if (counts_[i] > 0) last = i;
    }
  } else {
    while (first < bin_of(bound) && counts_[first] == 0) ++first;
  }
  std::vector<Bin> bins;
  for (uint32_t i = first; i <= last; ++i) bins.push_back({bits_ != 0 ? i : i * kBinWidth, counts_[i]});
  return bins;
}

std::vector<std::pair<uint64_t, uint64_t>> ClusterTally::sizes() const {
  std::vector<std::pair<uint64_t, uint64_t>> sizes;
  sizes.reserve(removed_.size());
  for (const auto& [size, removed] : removed_) sizes.emplace_back(size, size > 1 ? removed / (size - 1) : removed);
  return sizes;
}

}  // namespace neardup
