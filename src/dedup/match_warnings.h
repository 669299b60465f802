// Warnings about matches that may be false, or missed.
//
// warn_of_one_keeper() is for runs that do not verify their matches. Such a run removes texts whose fingerprints (or bands) agree by
// accident. The cause, such as a table with repeated rules, usually affects many texts, which then all have the same keeper.
//
// warn_of_just_below() is for runs that do. Some pairs are close to any threshold. If most pairs are, noise decides which documents are
// removed: recognition errors (OCR), a few words in short texts.
#pragma once

#include <cstdint>
#include <span>

#include "dedup/corpus/document_table.h"
#include "dedup/match/group_results.h"
#include "dedup/reference_indexes.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/source.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// warn_of_one_keeper() needs a keeper with at least this many different removed texts,
inline constexpr uint64_t kSuspiciousRemovals = 100;
/// and at least 1 / kSuspiciousShare of all removed texts.
inline constexpr uint64_t kSuspiciousShare = 10;

/// A run whose matches are not verified.
struct UnverifiedRun {
  const DocumentSource& source;
  const DocumentTable& table;
  std::span<const uint32_t> copy_of;  ///< find_exact_copies()
  const Recipe& recipe;
  bool by_distance = true;  ///< matches are decided by the distance of fingerprints; else by shared bands
};

/// Adds at most one warning, about the keeper of the most removals; of equals, the first in the input. Counts different texts: neither
/// exact copies (of the keeper, a removed text or a reference document), nor members of components that do not match their keeper.
/// `index_matches` are those that the removals name. Takes constant memory.
void warn_of_one_keeper(const UnverifiedRun& run, std::span<const Removal> removals, std::span<const IndexMatch> index_matches,
                        Summary& summary);

/// warn_of_just_below() needs at least this many documents.
inline constexpr uint64_t kManyJustBelow = 100;

/// Warns when at least as many documents lie just below the threshold as were removed for being above it. `documents`:
/// GroupStats::just_below. Requires a summary whose removed documents are counted.
void warn_of_just_below(uint64_t documents, const Options& options, Summary& summary);

/// Warns when Options::protect names values that no document has, as after a typing error. Requires a summary whose documents are counted.
void warn_of_idle_protection(const Options& options, Summary& summary);

}  // namespace neardup
