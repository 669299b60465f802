// The removals whose texts the report shows or tries: the least similar ones, those of the largest clusters, and a sample.
//
// Of several removals with one keeper and one similarity only the first is chosen to be shown: mostly they are copies of each other. All
// choices are functions of the set of rows. For one thread; memory does not depend on the number of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "jobs/report/tally/report_row.h"

namespace neardup {

/// The `most` least similar removals; exact copies are never among them.
class LeastSimilar {
 public:
  explicit LeastSimilar(size_t most) : most_(most) {}

  /// Rows come in ascending order of their numbers.
  void add(const ReportRow& row);
  /// The least similar first, then by number.
  [[nodiscard]] std::vector<ReportRow> rows() const;

 private:
  using Order = std::pair<uint32_t, uint64_t>;  // similarity, number
  const size_t most_;
  std::map<Order, ReportRow> chosen_;
  std::set<std::pair<DocumentId, uint32_t>> shown_;  // keeper and similarity of each
};

/// The keepers of the `most` largest clusters.
class LargestClusters {
 public:
  explicit LargestClusters(size_t most) : most_(most) {}

  void add(const ReportRow& row);

  struct Cluster {
    DocumentId keeper;
    uint64_t size = 0;
    friend bool operator==(const Cluster&, const Cluster&) = default;
  };
  /// The largest first, then by keeper.
  [[nodiscard]] std::vector<Cluster> clusters() const;

 private:
  const size_t most_;
  std::set<std::pair<uint64_t, DocumentId>> chosen_;  // 2^64 - 1 - size, keeper
};

/// The least similar members of some clusters, without the keepers.
class ClusterMembers {
 public:
  ClusterMembers(const std::vector<LargestClusters::Cluster>& clusters, size_t most);

  /// As LeastSimilar, but exact copies of the keeper count, too.
  void add(const ReportRow& row);
  /// Of each cluster, in the order given.
  [[nodiscard]] std::vector<std::vector<ReportRow>> members() const;

 private:
  const size_t most_;
  std::map<DocumentId, size_t> numbers_;
  std::vector<std::map<uint32_t, ReportRow>> members_;  // by similarity
};

/// The `most` rows with the smallest hashes of their places: a uniform sample that is the same in every run over the same inputs.
class RowSample {
 public:
  explicit RowSample(size_t most) : most_(most) {}

  void add(const ReportRow& row);
  /// By number.
  [[nodiscard]] std::vector<ReportRow> rows() const;

 private:
  const size_t most_;
  std::map<std::pair<uint64_t, DocumentId>, ReportRow> chosen_;
};

}  // namespace neardup
