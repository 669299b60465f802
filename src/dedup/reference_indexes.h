// ReferenceIndexes: the index folders that a corpus is compared with; finds the documents with an entry within the distance.
//
// An entry of an index counts as a document of a reference corpus that comes before all others: it is kept, and what matches it is removed.
// Only its fingerprint and its id are known, so it can only be judged by the distance.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/byte_codec.h"
#include "dedup/corpus/document_table.h"
#include "dedup/match/candidates/pair_strategy.h"
#include "neardup/fingerprint.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// The entry that a document matches: of the first index that has one within the distance, the one with the lowest number, which is the
/// first that was added.
struct IndexMatch {
  uint32_t document = 0;
  uint32_t index = 0;  ///< the number of the index
  uint64_t entry = 0;  ///< its id there
  std::string name;    ///< empty in an index without names
  bool named = false;
  uint32_t distance = 0;
};

/// Its form in the files of a checkpoint directory.
void write_index_match(const IndexMatch& match, ByteWriter& to);
IndexMatch read_index_match(ByteReader& from);

class ReferenceIndexes {
 public:
  ReferenceIndexes();
  ~ReferenceIndexes();
  ReferenceIndexes(ReferenceIndexes&&) noexcept;
  ReferenceIndexes& operator=(ReferenceIndexes&&) noexcept;

  /// Opens them. Throws Error{kUsage} when an index is of another recipe or made for smaller distances, or the options ask for another
  /// measure than the distance of fingerprints; Error{kInput} when it cannot be read.
  void open(std::span<const std::string> folders, const Recipe& recipe, const Options& options, const PairStrategy& strategy);

  [[nodiscard]] bool empty() const noexcept;
  /// Shows a later run whether an index changed, as DocumentSource::state_of() does.
  [[nodiscard]] const std::vector<std::string>& states() const noexcept;
  [[nodiscard]] uint64_t entries() const;
  /// Matches of the documents from `first` on, whose fingerprints are `codes`, if they have one and take part (candidates.h), by document.
  /// Skips reference documents.
  [[nodiscard]] std::vector<IndexMatch> find(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t first,
                                             std::span<const Fingerprint128> codes, uint32_t radius, uint32_t threads) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
