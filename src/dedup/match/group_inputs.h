// What solving groups of candidates needs: the documents, their candidates and features, limits; and the space of one worker.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dedup/match/group_results.h"
#include "dedup/match/matcher.h"
#include "dedup/pass/pass_progress.h"

namespace neardup {

/// The input for solving groups. Not owned.
struct GroupInputs : MatcherInputs {
  std::span<const uint32_t> copy_of{};  ///< find_exact_copies(); empty: no candidate is a copy
  uint64_t max_candidates = 0;          ///< verifications per document in a large group; 0: no cap
  /// A large group is searched through its buckets when they make at most this many pairs per member.
  uint64_t bucket_pairs_per_member = 1000;
  uint64_t index_memory = 0;  ///< bytes for the index of a join by containment; 0: unlimited
  uint32_t threads = 1;
  PassProgress* progress = nullptr;  ///< decided documents are reported to it; may be null

  [[nodiscard]] uint32_t document(uint32_t ordinal) const noexcept { return candidates.documents[ordinal]; }
  [[nodiscard]] bool decided(uint32_t ordinal) const noexcept { return table.decided(document(ordinal)); }
  /// True if it is kept although it matches; what matches it is recorded as a removal, which counts for its copies (verdicts.h).
  [[nodiscard]] bool is_protected(uint32_t ordinal) const noexcept { return table.is_protected(document(ordinal)); }
  /// The reference document that it copies, unless it is not such a copy. Never kept, even if a cap hides that document from it.
  [[nodiscard]] std::optional<uint32_t> copied_reference(uint32_t ordinal) const noexcept;
  /// Reports decided documents. `duplicates`: removed ones, except copies of reference documents, which were counted as copies.
  void done(uint64_t documents, uint64_t duplicates = 0) const {
    if (progress != nullptr) progress->done(documents, duplicates);
  }
};

/// What one worker needs to solve small groups, one after the other, and what it found in them.
struct GroupWorker {
  Matcher::Scratch scratch;
  std::vector<Removal> removals;
  std::vector<uint32_t> kept;  ///< of the group at hand
  uint64_t just_below = 0;     ///< GroupStats::just_below
};

}  // namespace neardup
