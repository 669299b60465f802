// Solving groups: from candidates to removals (scan rule, components) or to pairs.
//
// The scan rule: go through the documents in rank order and keep one unless a kept one matches it; a removed document names the first
// kept one, in rank order, that it matches. Small groups are compared pair by pair; large ones go through a PrefixIndex of the documents
// kept so far, block by block, so that neither a million near-equal documents nor many that share boilerplate cost n squared. Both
// give the same answer, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dedup/match/matcher.h"
#include "neardup/options.h"

namespace neardup {

/// A removed document and its keeper, as documents (not ordinals).
struct Removal {
  uint32_t document = 0;
  uint32_t keeper = 0;
  Overlap overlap;         ///< of the two; when verify is off: common = shared bands, sizes = number of bands
  bool connected = false;  ///< Cluster::kComponents: they are connected, but do not match
  uint32_t witness = 0;    ///< not 0: the keeper is an entry of an index, number `witness` of the witnesses, from 1
};

struct GroupStats {
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;
  /// Kept documents that were compared with one just below the threshold (kJustBelow); of the scan rule under Judge::kJaccard. Pairs of
  /// which no candidate was made are not among them.
  uint64_t just_below = 0;
};

/// Groups up to this size are compared pair by pair. Tests lower it to send small groups the other way.
inline constexpr size_t kSmallGroup = 256;

/// Removals of all groups, by document. `threads` workers.
std::vector<Removal> solve_groups(const Matcher& matcher, Cluster cluster, uint32_t threads, GroupStats& stats,
                                  size_t small_group = kSmallGroup);

/// The same without verification: sharing a band is a match.
std::vector<Removal> solve_groups_unverified(const DocumentTable& table, const Candidates& candidates, const LshPlan& plan,
                                             Cluster cluster);

/// Calls emit(worker, a, b, overlap) once for every matching pair of candidates (documents), from several threads, in no fixed order.
using EmitPair = std::function<void(uint32_t worker, uint32_t a, uint32_t b, const Overlap&)>;
void join_groups(const Matcher& matcher, uint32_t threads, const EmitPair& emit, GroupStats& stats, size_t small_group = kSmallGroup);

/// The large-group ways, for one group in rank order. Internal to this layer; public for tests.
std::vector<Removal> scan_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats);
std::vector<Removal> connect_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, GroupStats& stats);
void join_large_group(const Matcher& matcher, std::span<const uint32_t> group, uint32_t threads, const EmitPair& emit, GroupStats& stats);

/// Components of a solved group: everything in the set of `members[i]` is removed in favour of the best-ranked of the set.
/// `sets` is over positions in `group`.
void remove_by_component(const Matcher& matcher, std::span<const uint32_t> group, class UnionFind& sets, Matcher::Scratch& scratch,
                         std::vector<Removal>& removals);

}  // namespace neardup
