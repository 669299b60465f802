#include "jobs/report/tally/chosen_removals.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/hash.h"

namespace neardup {
namespace {

uint64_t hash_of(const DocumentId& place) {
  return splitmix64(mix64(place.source), place.row);
}

template <typename Map>
void drop_last_beyond(Map& map, size_t most) {
  if (map.size() > most) map.erase(std::prev(map.end()));
}

}  // namespace

void LeastSimilar::add(const ReportRow& row) {
  if (!row.near()) return;
  const Order order(row.similarity, row.number);
  if (chosen_.size() == most_ && (most_ == 0 || order > chosen_.rbegin()->first)) return;
  // A row that is dropped again later was the last in order, so rows with the same keeper and similarity that follow it are not better.
  if (!shown_.emplace(row.keeper, row.similarity).second) return;
  chosen_.emplace(order, row);
  if (chosen_.size() <= most_) return;
  const ReportRow& last = chosen_.rbegin()->second;
  shown_.erase({last.keeper, last.similarity});
  chosen_.erase(std::prev(chosen_.end()));
}

std::vector<ReportRow> LeastSimilar::rows() const {
  std::vector<ReportRow> rows;
  rows.reserve(chosen_.size());
  for (const auto& [order, row] : chosen_) rows.push_back(row);
  return rows;
}

void LargestClusters::add(const ReportRow& row) {
  if (!row.removed) return;
  const std::pair order(std::numeric_limits<uint64_t>::max() - row.cluster_size, row.keeper);
  if (chosen_.size() == most_ && (most_ == 0 || order > *chosen_.rbegin())) return;
  chosen_.insert(order);
  drop_last_beyond(chosen_, most_);
}

std::vector<LargestClusters::Cluster> LargestClusters::clusters() const {
  std::vector<Cluster> clusters;
  clusters.reserve(chosen_.size());
  for (const auto& [order, keeper] : chosen_) clusters.push_back({keeper, std::numeric_limits<uint64_t>::max() - order});
  return clusters;
}

ClusterMembers::ClusterMembers(const std::vector<LargestClusters::Cluster>& clusters, size_t most)
    : most_(most), members_(clusters.size()) {
  for (size_t i = 0; i < clusters.size(); ++i) numbers_.emplace(clusters[i].keeper, i);
}

void ClusterMembers::add(const ReportRow& row) {
  if (!row.removed) return;
  const auto found = numbers_.find(row.keeper);
  if (found == numbers_.end()) return;
  std::map<uint32_t, ReportRow>& members = members_[found->second];
  const auto [at, added] = members.try_emplace(row.similarity, row);
  if (!added && row.number < at->second.number) at->second = row;
  drop_last_beyond(members, most_);
}

std::vector<std::vector<ReportRow>> ClusterMembers::members() const {
  std::vector<std::vector<ReportRow>> all;
  for (const auto& members : members_) {
    std::vector<ReportRow>& rows = all.emplace_back();
    for (const auto& [similarity, row] : members) rows.push_back(row);
  }
  return all;
}

void RowSample::add(const ReportRow& row) {
  const std::pair order(hash_of(row.where), row.where);
  if (chosen_.size() == most_ && (most_ == 0 || order > chosen_.rbegin()->first)) return;
  chosen_.emplace(order, row);
  drop_last_beyond(chosen_, most_);
}

std::vector<ReportRow> RowSample::rows() const {
  std::vector<ReportRow> rows;
  rows.reserve(chosen_.size());
  for (const auto& [order, row] : chosen_) rows.push_back(row);
  std::ranges::sort(rows, {}, &ReportRow::number);
  return rows;
}

}  // namespace neardup
