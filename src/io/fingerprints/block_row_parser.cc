#include "io/fingerprints/block_row_parser.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::array<std::string_view, 4> kNames{"block", "value", "fingerprint", "id"};

std::optional<uint64_t> whole_number(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

BlockRowParser::BlockRowParser(const FingerprintBlocks& blocks, FingerprintText form)
    : blocks_(blocks), form_(form), cells_(kNames, RowCells::Null::kProblem) {}

void BlockRowParser::set_header(std::string_view line) {
  cells_.set_header(line);
  for (const size_t needed : {kFingerprint, kId}) {
    if (!cells_.has(needed)) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the header has no column '{}'; expected a table with the columns block, value, fingerprint, "
                              "id and tabs between them, or JSON Lines, not {}",
                              kNames[needed], shown_cell(line)));
    }
  }
}

Problem BlockRowParser::block_problem(Fingerprint128 fingerprint) const {
  const auto wrong = [](std::string what) { return Problem{std::move(what), RejectKind::kInvalidValue}; };
  if (!cells_[kBlock]) return {};
  const auto block = whole_number(*cells_[kBlock]);
  if (!block || *block >= blocks_.size())
    return wrong(
        fmt::format("block: expected 0 to {} (of blocks {}), not {}", blocks_.size() - 1, blocks_.text(), shown_cell(*cells_[kBlock])));
  if (!cells_[kValue]) return {};
  const uint64_t expected = blocks_.value(fingerprint, static_cast<uint32_t>(*block));
  if (whole_number(*cells_[kValue]) == expected) return {};
  return wrong(fmt::format("value: expected {}, which block {} of fingerprint {} has (of blocks {}), not {}", expected, *block,
                           shown_cell(*cells_[kFingerprint]), blocks_.text(), shown_cell(*cells_[kValue])));
}

Problem BlockRowParser::parse(std::string_view line, BlockRow& row) {
  Problem problem = cells_.split(line);
  if (!problem.empty()) return problem;
  for (const size_t needed : {kFingerprint, kId}) {
    if (!cells_[needed] || cells_[needed]->empty()) return {fmt::format("{} is missing", kNames[needed]), RejectKind::kMissingField};
  }
  const auto fingerprint = parse_fingerprint(form_, blocks_.bits(), *cells_[kFingerprint]);
  if (!fingerprint)
    return {fmt::format("fingerprint: expected {}, not {}", describe_fingerprint_text(form_, blocks_.bits()),
                        shown_cell(*cells_[kFingerprint])),
            RejectKind::kInvalidValue};
  problem = block_problem(*fingerprint);
  row = {*fingerprint, std::move(*cells_[kId])};
  return problem;
}

}  // namespace neardup
