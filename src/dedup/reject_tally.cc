#include "dedup/reject_tally.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup {

void RejectTally::add(const Record& record, std::string_view source_name, uint64_t row, std::vector<std::string>& warnings) {
  if (record.reject_kind == RejectKind::kDamaged && !limit_.accepts_all()) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}: damaged input: {}. Restore the file, or read what is left of it with --max-rejects 100%", source_name,
                            row, record.problem));
  }
  by_kind_.add(record.reject_kind);
  ++total_;
  if (total_ <= kMaxWarnings) warnings.push_back(fmt::format("{}:{}: rejected: {}", source_name, row, record.problem));
  if (total_ == 1) first_ = fmt::format("{}:{}: {}", source_name, row, record.problem);
  if (!limit_.surpassed_by(total_)) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format(
          "more records{} rejected than --max-rejects {} accepts: {}. The first: {}. --max-rejects 100% --rejects FILE writes them all",
          corpus_, limit_.to_text(), by_kind_.to_text(), first_));
}

void RejectTally::finish(uint64_t read) const {
  check_rejects(limit_, {.read = read, .rejected = by_kind_, .first = first_, .corpus = corpus_});
}

}  // namespace neardup
