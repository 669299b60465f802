#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "dedup/match/candidates/union_find.h"
#include "neardup/tools/evaluate.h"

namespace neardup {

Truth::Truth(const DecisionTable& table) : labels_(table.size(), kNoLabel) {}

void Truth::label(uint32_t document, std::string_view cluster) {
  auto at = names_.find(cluster);
  if (at == names_.end()) at = names_.emplace(cluster, static_cast<uint32_t>(names_.size())).first;
  labels_[document] = at->second;
}

void Truth::pair(uint32_t a, uint32_t b, std::optional<uint32_t> similarity_millionths) {
  by_pairs_ = true;
  if (a != b) pairs_.push_back({std::min(a, b), std::max(a, b), similarity_millionths.value_or(kUnknown)});
}

void Truth::finish() {
  names_ = {};
  if (!by_pairs_) return;
  std::ranges::sort(pairs_, {}, [](const Pair& p) { return std::tie(p.a, p.b, p.similarity_millionths); });
  const auto rest = std::ranges::unique(pairs_, [](const Pair& p, const Pair& q) { return p.a == q.a && p.b == q.b; });
  pairs_.erase(rest.begin(), rest.end());
  UnionFind sets(static_cast<uint32_t>(labels_.size()));
  for (const Pair& pair : pairs_) sets.unite(pair.a, pair.b);
  for (uint32_t d = 0; d < labels_.size(); ++d) labels_[d] = sets.root(d);
}

std::optional<size_t> Truth::find_pair(uint32_t a, uint32_t b) const {
  const std::pair<uint32_t, uint32_t> key = std::minmax(a, b);
  const auto at = std::ranges::lower_bound(pairs_, key, {}, [](const Pair& p) { return std::pair(p.a, p.b); });
  if (at == pairs_.end() || std::pair(at->a, at->b) != key) return std::nullopt;
  return static_cast<size_t>(at - pairs_.begin());
}

std::optional<bool> Truth::duplicates(uint32_t a, uint32_t b) const {
  if (by_pairs_) return find_pair(a, b).has_value();
  if (labels_[a] == kNoLabel || labels_[b] == kNoLabel) return std::nullopt;
  return labels_[a] == labels_[b];
}

}  // namespace neardup
