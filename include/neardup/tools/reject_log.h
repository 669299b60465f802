// RejectLog: counts rejected records and words the first few, for warnings and for the message of a run that fails.
//
// Does not decide whether a run fails: check_rejects(). One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/reject_limit.h"
#include "neardup/tools/rejects.h"

namespace neardup {

inline constexpr size_t kMaxWarnings = 5;  ///< of one kind; the counts say the rest

class RejectLog {
 public:
  /// `place`: "FILE:ROW". Adds a warning to `warnings` for each of the first kMaxWarnings records.
  void add(std::string_view place, RejectKind kind, std::string_view problem, std::vector<std::string>& warnings);

  [[nodiscard]] uint64_t total() const noexcept { return by_kind_.total(); }
  [[nodiscard]] const RejectCounts& by_kind() const noexcept { return by_kind_; }
  /// Place and problem of the first record; empty: there is none.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  /// For check_rejects(), of `read` records, rejected ones included. Valid while this is unchanged.
  [[nodiscard]] RejectTotals totals(uint64_t read) const noexcept { return {.read = read, .rejected = by_kind_, .first = first_}; }

 private:
  RejectCounts by_kind_;
  std::string first_;
};

}  // namespace neardup
