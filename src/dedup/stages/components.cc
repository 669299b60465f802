#include "dedup/stages/components.h"

#include <algorithm>
#include <limits>

#include "base/external_sort.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/stages/blob_format.h"
#include "neardup/error.h"

namespace neardup {

Roots connect_edges(const StageSettings& settings, std::span<const std::string_view> edges) {
  std::vector<BlobView> blobs;
  Roots made;
  for (const std::string_view bytes : edges) {
    const BlobView& blob = blobs.emplace_back(open_blob(settings, bytes, BlobKind::kEdges));
    for (uint32_t i = 0; i < blob.records; ++i) {
      made.ranks.push_back(blob.rank_at(blob.record(i)));
      made.ranks.push_back(blob.rank_at(blob.record(i) + blob.rank_bytes));
    }
  }
  stoppable_sort(made.ranks.data(), made.ranks.data() + made.ranks.size());
  made.ranks.erase(std::ranges::unique(made.ranks).begin(), made.ranks.end());
  if (made.ranks.size() >= std::numeric_limits<uint32_t>::max())
    throw Error(ErrorCode::kResource, "more than 4294967294 documents have edges: connect them in rounds");

  const auto number_of = [&](int64_t rank) {
    return static_cast<uint32_t>(std::ranges::lower_bound(made.ranks, rank) - made.ranks.begin());
  };
  UnionFind sets(static_cast<uint32_t>(made.ranks.size()));
  for (const BlobView& blob : blobs) {
    for (uint32_t i = 0; i < blob.records; ++i)
      sets.unite(number_of(blob.rank_at(blob.record(i))), number_of(blob.rank_at(blob.record(i) + blob.rank_bytes)));
  }
  // The root of a set is its least number, and numbers are in rank order.
  made.roots.reserve(made.ranks.size());
  for (uint32_t number = 0; number < sets.size(); ++number) made.roots.push_back(made.ranks[sets.root(number)]);
  return made;
}

}  // namespace neardup
