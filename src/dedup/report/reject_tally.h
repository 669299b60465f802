// RejectTally: counts the rejected records of a pass, in input order, and decides whether they fail the run.
//
// Keeps only the first few warnings. A damaged input fails the run at once, because the rest of its contents is unknown; so does exceeding
// a limit given as a number of records. A percentage is judged in finish(), when all records were read: then it depends on totals only. One
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"
#include "neardup/tools/reject_limit.h"

namespace neardup {

class RejectTally {
 public:
  /// `corpus`: RejectTotals::corpus.
  explicit RejectTally(const RejectLimit& limit, std::string_view corpus = "") : limit_(limit), corpus_(corpus) {}

  /// `source_name`, `row`: its place. Adds the first few to `warnings`. Throws Error{kInput} when it fails the run.
  void add(const Record& record, std::string_view source_name, uint64_t row, std::vector<std::string>& warnings);
  /// Ends the tally of `read` records, rejected ones included. Throws Error{kInput} as check_rejects().
  void finish(uint64_t read) const;

  [[nodiscard]] const RejectCounts& by_kind() const noexcept { return log_.by_kind(); }
  [[nodiscard]] uint64_t total() const noexcept { return log_.total(); }

 private:
  const RejectLimit limit_;
  const std::string_view corpus_;
  RejectLog log_;
};

}  // namespace neardup
