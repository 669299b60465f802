// Warnings about matches that a run may have found where there are none, or missed.
//
// warn_of_one_keeper() is for runs that do not verify their matches. There, texts are removed whose fingerprints (or bands) happen to agree
// although the texts do not. What makes them agree, such as a table that repeats its rules, makes many texts agree, and all of these have
// one keeper.
//
// warn_of_just_below() is for those that do. Some pairs are close to any threshold. Where these are the most, noise decides what is
// removed: recognition errors (OCR), a few words in short texts.
#pragma once

#include <cstdint>
#include <span>

#include "dedup/corpus/document_table.h"
#include "dedup/match/groups.h"
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

/// Adds at most one warning, about the keeper of the most removals; of equals, the first in the input. Counts different texts: no exact
/// copies, neither of the keeper nor of a removed text nor of a reference document, and no members of components that do not match their
/// keeper. `index_matches` are those that the removals name. Takes constant memory.
void warn_of_one_keeper(const UnverifiedRun& run, std::span<const Removal> removals, std::span<const IndexMatch> index_matches,
                        Summary& summary);

/// warn_of_just_below() needs at least this many documents.
inline constexpr uint64_t kManyJustBelow = 100;

/// Warns when more documents lie just below the threshold than were removed for being above it. `documents`: GroupStats::just_below.
/// Requires a summary whose removed documents are counted.
void warn_of_just_below(uint64_t documents, const Options& options, Summary& summary);

}  // namespace neardup
