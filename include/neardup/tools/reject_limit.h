// RejectLimit: how many rejected records a run accepts before it fails (Options::max_rejects). check_rejects(): it fails.
//
//   auto   1 % of the records, once 1,000 of them were read
//   N      a number of records; 0: none
//   P%     a percentage of the records read, with up to four decimals; 100%: everything is accepted
// The decision depends only on the total numbers of read and rejected records, never on threads or on the time of the call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

  /// True for 100%: neither rejected records nor damaged inputs fail the run.
  [[nodiscard]] bool accepts_all() const noexcept { return kind_ == Kind::kShare && value_ == kWhole; }
  /// True if this many are too many, however many records follow: only for a limit given as a number of records.
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

/// Throws Error{kInput} when no record could be used, or more were rejected than `limit` accepts. An input without records is no error.
void check_rejects(const RejectLimit& limit, const RejectTotals& totals);

}  // namespace neardup
