// RejectTally: what a pass counts of its rejected records, in input order, and whether they fail the run.
//
// Keeps the same few warnings however many there are. A damaged input fails the run at once, for what else it held is not known; so does a
// limit that is a number of records. A percentage is judged in finish(), when all records were read: then it depends on totals only.
// One thread.
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

  /// `source_name`, `row`: where it stands. Adds the first few to `warnings`. Throws Error{kInput} when it fails the run.
  void add(const Record& record, std::string_view source_name, uint64_t row, std::vector<std::string>& warnings);
  /// Of `read` records, rejected ones included, no more come. Throws Error{kInput} as check_rejects().
  void finish(uint64_t read) const;

  [[nodiscard]] const RejectCounts& by_kind() const noexcept { return log_.by_kind(); }
  [[nodiscard]] uint64_t total() const noexcept { return log_.total(); }

 private:
  const RejectLimit limit_;
  const std::string_view corpus_;
  RejectLog log_;
};

}  // namespace neardup
