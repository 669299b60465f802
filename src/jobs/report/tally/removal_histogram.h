// RemovalHistogram: removed documents by their similarity or distance to the keeper; exact copies are not in it.
// ClusterTally: how many clusters there are of each size.
//
// Rows come in any order. For one thread; memory does not depend on the number of rows, but for one entry per size of a cluster.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "jobs/report/tally/report_row.h"

namespace neardup {

class RemovalHistogram {
 public:
  static constexpr uint32_t kBinWidth = 10'000;  ///< of similarities, in millionths

  /// `bits` of the fingerprints if their distance decided, otherwise 0.
  explicit RemovalHistogram(uint32_t bits) : bits_(bits) {}

  void add(const ReportRow& row);

  struct Bin {
    uint32_t from = 0;  ///< in millionths, up to but without the beginning of the next bin (the last one: up to and with 1); or a distance
    uint64_t removed = 0;
    friend bool operator==(const Bin&, const Bin&) = default;
  };
  /// Without gaps, ascending: from the bin of `bound` (the threshold in millionths) or the first one that is not empty to that of 1; of
  /// distances from 0 to `bound` (the maximum distance) or the last one that is not empty.
  [[nodiscard]] std::vector<Bin> bins(uint32_t bound) const;

  /// The distance of a removal with this similarity.
  [[nodiscard]] uint32_t distance(uint32_t similarity) const noexcept;

 private:
  uint32_t bits_;
  std::array<uint64_t, 129> counts_{};  // a bin each: 100 of similarities, or up to 128 bits
};

class ClusterTally {
 public:
  void add(const ReportRow& row) {
    if (row.removed) ++removed_[row.cluster_size];
  }
  /// (size, number of clusters), by size. A cluster of s documents has s - 1 removed ones, whatever its keeper is.
  [[nodiscard]] std::vector<std::pair<uint64_t, uint64_t>> sizes() const;

 private:
  std::map<uint64_t, uint64_t> removed_;  // by the size of their cluster
};

}  // namespace neardup
