#include "dedup/report/cluster_sizes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace neardup {

ClusterSizes::ClusterSizes(uint32_t documents, std::vector<DocumentId> entries)
    : of_document_(documents, 1), entries_(std::move(entries)), of_match_(entries_.size(), 0) {}

void ClusterSizes::finish() {
  std::vector<uint32_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return entries_[a] != entries_[b] ? entries_[a] < entries_[b] : a < b; });
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    uint32_t removed = 0;
    for (end = begin; end < order.size() && entries_[order[end]] == entries_[order[begin]]; ++end) removed += of_match_[order[end]];
    for (size_t i = begin; i < end; ++i) of_match_[order[i]] = removed + 1;
    if (removed > 0) first_matches_.push_back(order[begin]);
  }
  entries_ = {};
}

ClusterSizes::Totals ClusterSizes::totals() const {
  Totals totals;
  const auto add = [&](uint64_t members, bool is_entry, size_t keeper) {
    ++totals.clusters;
    if (members > totals.largest) totals = {totals.clusters, members, is_entry, keeper};
  };
  for (const uint32_t match : first_matches_) add(of_match_[match], true, match);
  for (size_t document = 0; document < of_document_.size(); ++document) {
    if (of_document_[document] > 1) add(of_document_[document], false, document);
  }
  return totals;
}

}  // namespace neardup
