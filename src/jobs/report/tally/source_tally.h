// SourceTally: kept and removed documents of each source, and which source loses documents to which.
//
// Rows come in any order; the result is the same. For one thread. Memory: 40 bytes a source, and an entry for each pair of sources with a
// loss, of which there are at most as many as removed documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "jobs/report/tally/report_row.h"

namespace neardup {

struct SourceCounts {
  uint64_t documents = 0;
  uint64_t kept = 0;
  uint64_t exact = 0;
  uint64_t near = 0;  ///< removed, but not as exact copies
  uint64_t wins = 0;  ///< documents of any source that were removed for a keeper of this one
  [[nodiscard]] uint64_t removed() const noexcept { return exact + near; }
  friend bool operator==(const SourceCounts&, const SourceCounts&) = default;
};

/// The sources that the report lists.
struct SourceTable {
  struct Row {
    uint32_t source = 0;
    bool reference = false;  ///< has no documents, only keepers: of the reference corpus, or an index
    SourceCounts counts;
    friend bool operator==(const Row&, const Row&) = default;
  };
  struct Loss {
    uint32_t loser = 0;  ///< index of a row
    uint32_t winner = 0;
    uint64_t documents = 0;
    friend bool operator==(const Loss&, const Loss&) = default;
  };
  std::vector<Row> rows;     ///< by source
  std::vector<Loss> losses;  ///< by loser, then winner
  uint64_t sources_left_out = 0;
  SourceCounts left_out;         ///< of these together
  uint64_t losses_left_out = 0;  ///< removed documents in no entry of `losses`
};

class SourceTally {
 public:
  explicit SourceTally(uint32_t source_count) : counts_(source_count) {}

  /// Requires sources below source_count.
  void add(const ReportRow& row);
  /// Of each source, by its ordinal.
  [[nodiscard]] const std::vector<SourceCounts>& counts() const noexcept { return counts_; }
  /// At most `max_sources` sources: those with the most documents or wins, of equal ones the first. Sources with neither are in no count.
  /// At most `max_losses` losses: the largest, of equal ones the first.
  [[nodiscard]] SourceTable table(size_t max_sources, size_t max_losses) const;

 private:
  std::vector<SourceCounts> counts_;
  std::unordered_map<uint64_t, uint64_t> losses_;  // of loser * 2^32 + winner
};

}  // namespace neardup
