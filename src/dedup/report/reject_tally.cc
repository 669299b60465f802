#include "dedup/report/reject_tally.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {

void RejectTally::add(const Record& record, std::string_view source_name, uint64_t row, std::vector<std::string>& warnings) {
  if (record.reject_kind == RejectKind::kDamaged && !limit_.accepts_all()) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}: damaged input: {}. Restore the file, or read what is left of it with --max-rejects 100%", source_name,
                            row, record.problem));
  }
  log_.add(fmt::format("{}:{}", source_name, row), record.reject_kind, record.problem, warnings);
  if (!limit_.surpassed_by(total())) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format(
          "more records{} rejected than --max-rejects {} accepts: {}. The first: {}. --max-rejects 100% --rejects FILE writes them all",
          corpus_, limit_.to_text(), by_kind().to_text(), log_.first()));
}

void RejectTally::finish(uint64_t read) const {
  RejectTotals totals = log_.totals(read);
  totals.corpus = corpus_;
  check_rejects(limit_, totals);
}

}  // namespace neardup
