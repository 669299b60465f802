// BlockSearch: finds the members of a large group that may match a given one, among those before it.
//
// A member is a position in the group, which is in rank order. The members come in blocks of at most kBlock: a block is entered, its
// members are visited (by several workers at once), and it is left, which may take some of its members out; a block that is not left keeps
// all its members in. A visit finds at least all comparable members that match. There are four such searches:
//
//   CodeSearch    where fingerprints are not judged by the Jaccard similarity: the fingerprints of the members that are in
//   BucketSearch  where shared bands make few pairs, as in groups that are connected only by chains: the buckets themselves
//   PrefixSearch  where buckets are large (a million near-equal documents, or many with the same boilerplate) or there are none
//                 (Search::kExact): a PrefixIndex of the members that are in
//   MemberSearch  the same where features are judged by their weights: the members that are in, pair by pair
//
// The callers are templates (large_group.h): no call for a pair of members is virtual.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dedup/corpus/feature_store.h"
#include "dedup/match/candidates/union_find.h"
#include "dedup/match/matcher.h"

namespace neardup {

inline constexpr uint32_t kBlock = 256;

/// Not thread-safe but for visit(), comparable() and match(), which any number of workers may call between the other calls.
template <typename Search>
concept BlockSearch = requires(Search search, uint32_t member, uint32_t worker, UnionFind sets, Matcher::Scratch scratch,
                               bool (*keep)(uint32_t), bool (*visit)(uint32_t)) {
  /// Adds the members [begin, end); they are the block until it is left, or the next one is entered.
  search.enter(member, member);
  /// Leaves the block that ends here: keeps only its members with keep(member).
  search.leave(member, keep);
  /// Call it before the first block: from now on only pairs of different sets matter; at least these are visited.
  search.restrict_to_cross_set_pairs(sets);
  /// Calls visit(other), in rank order, for the members that are in and before `member` (of the block), until it returns false.
  search.visit(member, worker, visit);
  /// Matcher::comparable() of two members, one of which was found by the other's visit.
  { search.comparable(member, member) } -> std::same_as<bool>;
  /// Matcher::match() of two comparable members.
  { search.match(member, member, worker, scratch) } -> std::same_as<std::optional<Overlap>>;
};

/// The features of the members of a group, for the workers of a search. A member that is compared with many in a row is read once.
class MemberFeatures {
 public:
  MemberFeatures(const FeatureStore& store, std::span<const uint32_t> group, uint32_t workers)
      : store_(store), group_(group), readers_(workers) {}

  [[nodiscard]] uint32_t size(uint32_t member) const noexcept { return store_.size(group_[member]); }
  /// Valid until the next call of the worker.
  std::span<const uint64_t> read(uint32_t member, uint32_t worker) {
    Reader& reader = readers_[worker];
    if (reader.member == member) return reader.set;
    reader.member = kNobody;  // reading may throw
    reader.set = store_.get(group_[member], reader.space);
    reader.member = member;
    return reader.set;
  }

 private:
  static constexpr uint32_t kNobody = std::numeric_limits<uint32_t>::max();
  struct Reader {
    uint32_t member = kNobody;
    std::span<const uint64_t> set;
    std::vector<uint64_t> space;
  };
  const FeatureStore& store_;
  std::span<const uint32_t> group_;
  std::vector<Reader> readers_;
};

}  // namespace neardup
