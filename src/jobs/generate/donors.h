// Donors: the documents of a sample as the source of words, sentences and facts for edits of the others, and in how many of them a word
// occurs.
//
// What is inserted comes from a text in the same kind of script (separated by blanks or not) where there is another one. Immutable, shared
// by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "jobs/generate/random.h"
#include "jobs/generate/text_units.h"

namespace neardup::generate_detail {

class Donors {
 public:
  /// At least two, each with at least one unit; must outlive the object.
  explicit Donors(std::span<const TextUnits> texts);

  [[nodiscard]] const TextUnits& text(size_t document) const noexcept { return texts_[document]; }
  /// A random unit of another document.
  [[nodiscard]] std::string_view word(size_t document, Random& random) const;
  /// A random sentence of another document: at most `most` units of it.
  [[nodiscard]] std::string_view sentence(size_t document, size_t most, Random& random) const;
  /// Consecutive units of other documents, one passage after the other, until there are `units` of them.
  [[nodiscard]] std::string passages(size_t document, size_t units, Random& random) const;

  /// True if a unit of the text, or two neighbouring single characters, occurs in no other document.
  [[nodiscard]] bool is_unique(std::string_view words) const;
  /// A random unit (or, for `pairs`, pair of single characters without a gap) of another document that occurs in no other one. Empty if
  /// none was met.
  [[nodiscard]] std::string_view unique_word(size_t document, bool pairs, Random& random) const;

 private:
  [[nodiscard]] const TextUnits& other(size_t document, Random& random) const;

  std::span<const TextUnits> texts_;
  std::vector<size_t> spaced_;
  std::vector<size_t> unspaced_;
  std::unordered_map<uint64_t, uint32_t> documents_of_;  // by the hash of a unit or pair
};

/// True if units i and i + 1 are single characters without a gap.
bool is_pair(const TextUnits& text, size_t i);

}  // namespace neardup::generate_detail
