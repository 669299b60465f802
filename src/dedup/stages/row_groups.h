// RowGroups: groups of candidate rows, and the engine's own structures made of them, so that the engine itself decides about them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/match/group_results.h"
#include "dedup/stages/stage_settings.h"

namespace neardup {

/// Rows with their payloads, one after the other.
class RowBuffer {
 public:
  void add(const CandidateRow& row);
  void clear() noexcept;
  [[nodiscard]] size_t size() const noexcept { return ranks_.size(); }
  [[nodiscard]] uint64_t bytes() const noexcept { return payloads_.size() + ranks_.size() * kRowBytes; }
  [[nodiscard]] CandidateRow row(size_t number) const noexcept;
  /// Of a row with this payload.
  static uint64_t bytes_of(const CandidateRow& row) noexcept { return row.payload.size() + kRowBytes; }

 private:
  // Of a row, in all structures that are made of it.
  static constexpr uint64_t kRowBytes = 128;

  std::vector<int64_t> roots_;
  std::vector<int64_t> ranks_;
  std::vector<size_t> ends_;  // of the payloads
  std::string payloads_;
};

/// A removal among rows that are numbered in the order in which they were given.
using RowRemoval = Removal;

/// Decides groups: group g is rows[begin[g] .. begin[g + 1]), in rank order. Throws Error{kInput} for payloads that are not of this run.
std::vector<RowRemoval> decide_rows(const StageSettings& settings, const std::vector<CandidateRow>& rows,
                                    const std::vector<uint32_t>& begin, GroupStats& stats);

/// Finds for each row from `kept` on the first kept row that it matches. The first `kept` rows are in rank order.
std::vector<RowRemoval> match_rows(const StageSettings& settings, const std::vector<CandidateRow>& rows, uint32_t kept, GroupStats& stats);

}  // namespace neardup
