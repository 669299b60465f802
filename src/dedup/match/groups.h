// Solves groups: from candidates to removals (scan rule, components) or to pairs.
//
// The scan rule: scan the documents in rank order and keep one unless a kept one matches it; a removed document names the first kept one,
// in rank order, that it matches. Small groups are compared pair by pair; large ones block by block (large_groups.h), so that neither a
// million near-equal documents nor many that share boilerplate cost n squared. Both give the same answer, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/matcher.h"
#include "dedup/match/union_find.h"
#include "dedup/pass/pass_progress.h"
#include "neardup/options.h"

namespace neardup {

/// The input for solving groups. Not owned.
struct GroupInputs : MatcherInputs {
  std::span<const uint32_t> copy_of{};  ///< find_exact_copies(); empty: no candidate is a copy
  uint64_t max_candidates = 0;          ///< verifications per document in a large group; 0: no cap
  /// A large group is searched through its buckets when they make at most this many pairs per member.
  uint64_t bucket_pairs_per_member = 1000;
  uint32_t threads = 1;
  PassProgress* progress = nullptr;  ///< decided documents are reported to it; may be null

  [[nodiscard]] uint32_t document(uint32_t ordinal) const noexcept { return candidates.documents[ordinal]; }
  [[nodiscard]] bool decided(uint32_t ordinal) const noexcept { return table.decided(document(ordinal)); }
  /// The reference document that it copies, unless it is not such a copy. Never kept, even if a cap hides that document from it.
  [[nodiscard]] std::optional<uint32_t> copied_reference(uint32_t ordinal) const noexcept;
  /// Reports decided documents. `duplicates`: removed ones, except copies of reference documents, which were counted as copies.
  void done(uint64_t documents, uint64_t duplicates = 0) const {
    if (progress != nullptr) progress->done(documents, duplicates);
  }
};

/// A removed document and its keeper, as documents (not ordinals).
struct Removal {
  uint32_t document = 0;
  uint32_t keeper = 0;
  Overlap overlap;           ///< of the two; when verify is off: common = shared bands, sizes = number of bands
  bool connected = false;    ///< Cluster::kComponents: they are connected, but do not match
  uint32_t index_match = 0;  ///< not 0: the keeper is an entry of an index, number `index_match` of the matches in indexes, from 1
};

struct GroupStats {
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;
  /// Kept documents with a compared document just below the threshold (kJustBelow); for the scan rule under Judge::kJaccard. Pairs that
  /// were not candidates do not count.
  uint64_t just_below = 0;
};

/// Groups up to this size are compared pair by pair. Tests lower it to solve small groups as large ones.
inline constexpr size_t kSmallGroup = 256;

/// Removals of all groups, by document.
std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group = kSmallGroup);

/// The same without verification: a shared band is a match.
std::vector<Removal> solve_groups_unverified(const DocumentTable& table, const Candidates& candidates, const LshPlan& plan,
                                             Cluster cluster);

/// Calls emit(worker, a, b, overlap) once for every matching pair of candidates (documents), from several threads, in no fixed order.
using EmitPair = std::function<void(uint32_t worker, uint32_t a, uint32_t b, const Overlap&)>;
void join_groups(const GroupInputs& in, const EmitPair& emit, GroupStats& stats, size_t small_group = kSmallGroup);

/// Components of a solved group: every member of a set is removed in favour of the best-ranked one. `sets` is over positions in `group`.
void remove_by_component(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, UnionFind& sets,
                         Matcher::Scratch& scratch, std::vector<Removal>& removals);

}  // namespace neardup
