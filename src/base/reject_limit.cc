#include "neardup/tools/reject_limit.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "base/percent.h"
#include "neardup/error.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

constexpr uint64_t kAutoRecords = 1000;
constexpr uint64_t kAutoShare = 10'000;  // millionths: 1 %

[[noreturn]] void refuse(std::string_view text) {
  throw Error(
      ErrorCode::kUsage,
      fmt::format("max_rejects: expected auto, a number of records, or a percentage from 0% to 100% with at most {} decimals, not '{}'",
                  kPercentDecimals, text));
}

bool read_digits(std::string_view digits, uint64_t& value) noexcept {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

RejectLimit RejectLimit::parse(std::string_view text) {
  if (text == "auto") return {};
  if (text.ends_with('%')) {
    const auto share = parse_percent(text);
    if (!share) refuse(text);
    return {Kind::kShare, *share};
  }
  uint64_t value = 0;
  if (!read_digits(text, value)) refuse(text);
  return {Kind::kRecords, value};
}

std::string RejectLimit::to_text() const {
  switch (kind_) {
    case Kind::kAuto:
      break;
    case Kind::kRecords:
      return fmt::format("{}", value_);
    case Kind::kShare:
      return percent_text(value_);
  }
  return "auto";
}

bool RejectLimit::exceeded_by(uint64_t rejected, uint64_t read) const noexcept {
  switch (kind_) {
    case Kind::kAuto:
      return read >= kAutoRecords && is_above_share(rejected, read, kAutoShare);
    case Kind::kRecords:
      return rejected > value_;
    case Kind::kShare:
      return is_above_share(rejected, read, value_);
  }
  return false;
}

void check_rejects(const RejectLimit& limit, const RejectTotals& totals) {
  const uint64_t rejected = totals.rejected.total();
  if (limit.accepts_all() || rejected == 0) return;
  const std::string first = totals.first.empty() ? "" : fmt::format(". The first: {}", totals.first);
  if (rejected == totals.read) {
    const bool other_format = totals.rejected[RejectKind::kBrokenJson] == rejected;
    const std::string_view advice = other_format ? "JSON Lines have one object per line; files named .txt are read as text. " : "";
    throw Error(ErrorCode::kInput,
                fmt::format("no {}{} could be used: {} rejected: {}{}. {}--max-rejects 100% accepts this", totals.unit, totals.corpus,
                            counted(rejected, totals.unit), totals.rejected.to_text(totals.field), first, advice));
  }
  if (!limit.exceeded_by(rejected, totals.read)) return;
  const std::string bound = limit == RejectLimit() ? "more than 1%" : limit.to_text() + " accepted by --max-rejects";
  throw Error(
      ErrorCode::kInput,
      fmt::format("too many {}s{} rejected: {} of {} ({}): {}{}. Raise --max-rejects to accept them; --max-rejects 100% --rejects FILE "
                  "writes them all",
                  totals.unit, totals.corpus, grouped(rejected), grouped(totals.read), bound, totals.rejected.to_text(totals.field),
                  first));
}

}  // namespace neardup
