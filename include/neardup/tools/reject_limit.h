// RejectLimit: how many rejected records a run accepts before it fails (Options::max_rejects). RejectLog: what a run counts and says of
// them.
//
//   auto   1 % of the records, once 1,000 of them were read
//   N      a number of records; 0: none
//   P%     a percentage of the records read, with up to four decimals; 100%: everything is accepted
// The decision depends only on what was read and rejected in total, never on threads or on when it is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/rejects.h"

namespace neardup {

class RejectLimit {
 public:
  RejectLimit() = default;  ///< auto
  /// Throws Error{kUsage} that names the option `max_rejects`, its bounds and the value.
  static RejectLimit parse(std::string_view text);
  static RejectLimit accept_all() { return parse("100%"); }
  /// The inverse of parse().
  [[nodiscard]] std::string to_text() const;

  /// True of 100%: neither rejected records nor damaged inputs fail the run.
  [[nodiscard]] bool accepts_all() const noexcept { return kind_ == Kind::kShare && value_ == kWhole; }
  /// True if this many are too many however many records follow: only a number of records can tell.
  [[nodiscard]] bool surpassed_by(uint64_t rejected) const noexcept { return kind_ == Kind::kRecords && rejected > value_; }
  /// True if, of all `read` records, too many were rejected.
  [[nodiscard]] bool exceeded_by(uint64_t rejected, uint64_t read) const noexcept;
  friend bool operator==(const RejectLimit&, const RejectLimit&) = default;

 private:
  enum class Kind : uint8_t { kAuto, kRecords, kShare };
  static constexpr uint64_t kWhole = 1'000'000;  // a share counts millionths
  RejectLimit(Kind kind, uint64_t value) : kind_(kind), value_(value) {}

  Kind kind_ = Kind::kAuto;
  uint64_t value_ = 0;
};

/// What a run counted, and what its messages name.
struct RejectTotals {
  uint64_t read = 0;  ///< rejected records included
  RejectCounts rejected{};
  std::string_view first;            ///< the first rejected record: its place and the problem; may be empty
  std::string_view unit = "record";  ///< with an 's' for several
  std::string_view corpus = "";      ///< whose records they are: " of the reference corpus"; empty: of the inputs
  std::string_view field = kTextField;
};

/// Throws Error{kInput} when no record could be used, or more were rejected than `limit` accepts. An input without records is no error.
void check_rejects(const RejectLimit& limit, const RejectTotals& totals);

inline constexpr size_t kMaxWarnings = 5;  ///< of one kind; the counts say the rest

/// Counts rejected records and words the first few, for warnings and for the message of a run that fails. Does not decide whether a run
/// fails: check_rejects(). One thread.
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
