// ReferenceIndexes: the index folders that a corpus is compared with, and which of its documents have an entry there within the distance.
//
// An entry of an index counts as a document of a reference corpus that comes before all others: it is kept, and what matches it is removed.
// All that is known of it is its fingerprint and its id, so it can only be judged by the distance.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/byte_codec.h"
#include "dedup/corpus/document_table.h"
#include "dedup/match/pair_strategy.h"
#include "neardup/fingerprint.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// The entry that a document matches: of the first index that has one within the distance, the one with the lowest number, which is the
/// first that was added.
struct IndexMatch {
  uint32_t document = 0;
  uint32_t index = 0;  ///< which of the indexes
  uint64_t entry = 0;  ///< its id there
  std::string name;    ///< empty in an index without names
  bool named = false;
  uint32_t distance = 0;
};

/// As it is in files of a checkpoint directory.
void write_index_match(const IndexMatch& match, ByteWriter& to);
IndexMatch read_index_match(ByteReader& from);

class ReferenceIndexes {
 public:
  ReferenceIndexes();
  ~ReferenceIndexes();
  ReferenceIndexes(ReferenceIndexes&&) noexcept;
  ReferenceIndexes& operator=(ReferenceIndexes&&) noexcept;

  /// Opens them. Throws Error{kUsage} when an index is of another recipe or made for smaller distances, or the options want more of a match
  /// than the distance of its fingerprints; Error{kInput} when it cannot be read.
  void open(std::span<const std::string> folders, const Recipe& recipe, const Options& options, const PairStrategy& strategy);

  [[nodiscard]] bool empty() const noexcept;
  /// What tells a later run whether an index is still what it was, as DocumentSource::state_of() does.
  [[nodiscard]] const std::vector<std::string>& states() const noexcept;
  [[nodiscard]] uint64_t entries() const;
  /// For the documents from `first` on, whose fingerprints are `codes`, as far as they have one and take part (candidates.h), by
  /// document. Those of a reference corpus are not looked at.
  [[nodiscard]] std::vector<IndexMatch> find(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t first,
                                             std::span<const Fingerprint128> codes, uint32_t radius, uint32_t threads) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
