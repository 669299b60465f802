#include "io/block_row_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/json_scan.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::string_view kNames[] = {"block", "value", "fingerprint", "id"};
constexpr size_t kShownBytes = 60;

// For a message, which is one line.
std::string shown(std::string_view text) {
  std::string line = fmt::format("'{}{}'", text.substr(0, kShownBytes), text.size() <= kShownBytes ? "" : "...");
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, '?');
  return line;
}

// Calls visit(cell) for all cells of a line of a table.
template <class Visit>
void for_each_cell(std::string_view line, const Visit& visit) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (size_t at = 0; at <= line.size();) {
    const size_t tab = std::min(line.find('\t', at), line.size());
    visit(line.substr(at, tab - at));
    at = tab + 1;
  }
}

std::optional<uint64_t> whole_number(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

void BlockRowParser::set_header(std::string_view line) {
  header_.clear();
  for_each_cell(line, [&](std::string_view cell) {
    const auto* const found = std::ranges::find(kNames, cell);
    const auto column = static_cast<size_t>(found - std::begin(kNames));
    if (column != kColumns && std::ranges::find(header_, column) != header_.end())
      throw Error(ErrorCode::kInput, fmt::format("the header has the column '{}' twice", cell));
    header_.push_back(column);
  });
  for (const size_t needed : {kFingerprint, kId}) {
    if (std::ranges::find(header_, needed) == header_.end()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the header has no column '{}'; expected a table with the columns block, value, fingerprint, "
                              "id and tabs between them, or JSON Lines, not {}",
                              kNames[needed], shown(line)));
    }
  }
}

std::string BlockRowParser::split_table(std::string_view line) {
  size_t count = 0;
  for_each_cell(line, [&](std::string_view cell) {
    if (count < header_.size() && header_[count] != kColumns) cells_[header_[count]] = cell;
    ++count;
  });
  return count == header_.size() ? "" : fmt::format("expected {} cells, as the header has, not {}", header_.size(), count);
}

std::string BlockRowParser::split_json(std::string_view line) {
  if (const size_t bad = find_invalid_utf8(line); bad != std::string_view::npos) return fmt::format("not UTF-8 at byte {}", bad + 1);
  if (const JsonFault fault = check_json(line); !fault.what.empty())
    return fmt::format("not JSON at byte {}: {}", fault.offset + 1, fault.what);
  const JsonCursor root(line, 0);
  if (root.type() != JsonType::kObject) return fmt::format("expected an object, not {}", name_of(root.type()));
  for (size_t column = 0; column < kColumns; ++column) {
    JsonCursor value = root;
    if (!root.member(kNames[column], value)) continue;
    switch (value.type()) {
      case JsonType::kString:
        static_cast<void>(value.string(cells_[column].emplace()));
        break;
      case JsonType::kNumber:
        cells_[column] = value.scalar();
        break;
      default:
        return fmt::format("{}: expected a string or a number, not {}", kNames[column], name_of(value.type()));
    }
  }
  return "";
}

std::string BlockRowParser::block_problem(Fingerprint128 fingerprint) const {
  if (!cells_[kBlock]) return "";
  const auto block = whole_number(*cells_[kBlock]);
  if (!block || *block >= blocks_.size())
    return fmt::format("block: expected 0 to {} (of blocks {}), not {}", blocks_.size() - 1, blocks_.text(), shown(*cells_[kBlock]));
  if (!cells_[kValue]) return "";
  const uint64_t expected = blocks_.value(fingerprint, static_cast<uint32_t>(*block));
  if (whole_number(*cells_[kValue]) == expected) return "";
  return fmt::format("value: expected {}, which block {} of fingerprint {} has (of blocks {}), not {}", expected, *block,
                     shown(*cells_[kFingerprint]), blocks_.text(), shown(*cells_[kValue]));
}

std::string BlockRowParser::parse(std::string_view line, BlockRow& row) {
  std::ranges::fill(cells_, std::nullopt);
  std::string problem = header_.empty() ? split_json(line) : split_table(line);
  if (!problem.empty()) return problem;
  for (const size_t needed : {kFingerprint, kId}) {
    if (!cells_[needed] || cells_[needed]->empty()) return fmt::format("{} is missing", kNames[needed]);
  }
  const auto fingerprint = parse_fingerprint(form_, blocks_.bits(), *cells_[kFingerprint]);
  if (!fingerprint)
    return fmt::format("fingerprint: expected {}, not {}", describe_fingerprint_text(form_, blocks_.bits()), shown(*cells_[kFingerprint]));
  problem = block_problem(*fingerprint);
  row = {*fingerprint, std::move(*cells_[kId])};
  return problem;
}

}  // namespace neardup
