// PairChanges: the changes between two texts as tune counts them, and the kind that the pair counts as.
//
// The counts of classify_changes(), but a word that is only broken ("lim ited", "pre- scribed") counts as a change of letters, and pairs
// that differ in a few facts are told apart. Pure; total.
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/tools/align.h"
#include "neardup/tools/tune.h"

namespace neardup {

struct PairChanges {
  uint64_t digits = 0;  ///< numbers of changes
  uint64_t letters = 0;
  uint64_t words = 0;
  uint64_t marks = 0;             ///< punctuation and spacing
  uint64_t block_characters = 0;  ///< in passages that were inserted, deleted or moved
  uint64_t characters = 0;        ///< changed ones in all
  bool facts = false;             ///< all changes are short replacements of numbers or words, and few

  /// Punctuation decides only where nothing else changes: under most recipes it changes nothing.
  [[nodiscard]] PairKind kind() const noexcept;
};

/// Requires the alignment of these texts.
PairChanges count_changes(std::string_view a, std::string_view b, const Alignment& alignment);

}  // namespace neardup
