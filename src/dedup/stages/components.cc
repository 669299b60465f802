#include "dedup/stages/components.h"

#include <compare>
#include <limits>
#include <optional>
#include <span>

#include "base/spill_file.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/stages/blob_format.h"
#include "dedup/stages/unique_sorter.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// An edge whose later document has its number.
struct NumberedEdge {
  int64_t other;
  uint32_t number;
  friend auto operator<=>(const NumberedEdge&, const NumberedEdge&) = default;
};

// Numbers ascending ranks among all ranks, which ascend, too: a walk in place of a search for each.
class Numbers {
 public:
  explicit Numbers(std::span<const int64_t> ranks) : ranks_(ranks) {}
  uint32_t of(int64_t rank) noexcept {
    while (ranks_[next_] < rank) ++next_;
    return next_;
  }

 private:
  std::span<const int64_t> ranks_;
  uint32_t next_ = 0;
};

// Edges and ranks are sorted, on disk where they exceed the memory, and joined in order. Only the sets are always in memory.
class Components final : public RootStage {
 public:
  Components(const StageSettings& settings, const StageSpace& space)
      : settings_(settings), space_(space), edges_(space.memory / 4, space.temp_dir), ranks_(space.memory / 8, space.temp_dir) {}

  void add(std::string_view bytes) override {
    const BlobView blob = open_blob(settings_, bytes, BlobKind::kEdges);
    for (uint32_t i = 0; i < blob.records; ++i) edges_.add({blob.rank_at(blob.record(i)), blob.rank_at(blob.record(i) + blob.rank_bytes)});
  }

  Roots next() override {
    if (!sets_) connect();
    Roots some;
    for (; some.ranks.size() < kRootsAtOnce && given_ < sets_->size(); ++given_) {
      some.ranks.push_back(sorted_[given_]);
      // The root of a set is its least number, and numbers are in rank order.
      some.roots.push_back(sorted_[sets_->root(given_)]);
    }
    return some;
  }

 private:
  void connect() {
    // The same edge comes from many bands: once is enough for all that follows.
    SpillFile unique(space_.memory / 4, space_.temp_dir);
    UniqueSorter<int64_t> others(space_.memory / 8, space_.temp_dir);
    while (const RankEdge* const edge = edges_.next()) {
      unique.add(*edge);
      others.add(edge->other);
    }
    const auto edges = unique.values<RankEdge>();
    number_ranks(edges, others);
    sets_.emplace(static_cast<uint32_t>(sorted_.size()));

    ExternalSorter<NumberedEdge> by_other(space_.memory / 8, space_.temp_dir);
    std::vector<NumberedEdge> waiting;
    Numbers later(sorted_);
    for (const RankEdge& edge : edges) {
      waiting.push_back({edge.other, later.of(edge.rank)});
      if (waiting.size() < kEdgesAtOnce) continue;
      by_other.add(waiting);
      waiting.clear();
    }
    by_other.add(waiting);
    Numbers earlier(sorted_);
    while (const NumberedEdge* const edge = by_other.next()) sets_->unite(edge->number, earlier.of(edge->other));
  }

  // All ranks of both ends, ascending, each once.
  void number_ranks(std::span<const RankEdge> edges, UniqueSorter<int64_t>& others) {
    std::optional<int64_t> last;
    const auto add = [&](int64_t rank) {
      if (last == rank) return;
      ranks_.add(rank);
      last = rank;
    };
    const int64_t* other = others.next();
    for (const RankEdge& edge : edges) {
      for (; other != nullptr && *other <= edge.rank; other = others.next()) add(*other);
      add(edge.rank);
    }
    for (; other != nullptr; other = others.next()) add(*other);
    sorted_ = ranks_.values<int64_t>();
    if (sorted_.size() >= std::numeric_limits<uint32_t>::max())
      throw Error(ErrorCode::kResource, "more than 4294967294 documents have edges: connect them in rounds");
  }

  static constexpr size_t kRootsAtOnce = 1 << 16;
  static constexpr size_t kEdgesAtOnce = 1 << 10;

  const StageSettings& settings_;
  const StageSpace space_;
  UniqueSorter<RankEdge> edges_;  // by their later document
  SpillFile ranks_;
  std::span<const int64_t> sorted_;  // of ranks_
  std::optional<UnionFind> sets_;    // of numbers in sorted_
  uint32_t given_ = 0;
};

}  // namespace

std::unique_ptr<RootStage> make_components(const StageSettings& settings, const StageSpace& space) {
  return std::make_unique<Components>(settings, space);
}

}  // namespace neardup
