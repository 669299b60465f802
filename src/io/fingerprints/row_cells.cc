#include "io/fingerprints/row_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/json/json_scan.h"
#include "neardup/error.h"

namespace neardup {
namespace {

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

}  // namespace

std::string shown_cell(std::string_view text, size_t most) {
  std::string line = fmt::format("'{}{}'", text.substr(0, most), text.size() <= most ? "" : "...");
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, '?');
  return line;
}

void RowCells::set_header(std::string_view line) {
  header_.clear();
  for_each_cell(line, [&](std::string_view cell) {
    const auto column = static_cast<size_t>(std::ranges::find(names_, cell) - names_.begin());
    if (column != names_.size() && std::ranges::find(header_, column) != header_.end())
      throw Error(ErrorCode::kInput, fmt::format("the header has the column '{}' twice", cell));
    header_.push_back(column);
  });
}

bool RowCells::has(size_t column) const noexcept {
  return header_.empty() || std::ranges::find(header_, column) != header_.end();
}

Problem RowCells::split(std::string_view line) {
  std::ranges::fill(cells_, std::nullopt);
  return header_.empty() ? split_json(line) : split_table(line);
}

Problem RowCells::split_table(std::string_view line) {
  size_t count = 0;
  for_each_cell(line, [&](std::string_view cell) {
    if (count < header_.size() && header_[count] != names_.size()) cells_[header_[count]] = cell;
    ++count;
  });
  if (count == header_.size()) return {};
  return {fmt::format("expected {} cells, as the header has, not {}", header_.size(), count), RejectKind::kBrokenRow};
}

Problem RowCells::split_json(std::string_view line) {
  const auto broken = [](std::string what) { return Problem{std::move(what), RejectKind::kBrokenJson}; };
  if (const size_t bad = find_invalid_utf8(line); bad != std::string_view::npos)
    return {fmt::format("not UTF-8 at byte {}", bad + 1), RejectKind::kNotUtf8};
  if (const JsonFault fault = check_json(line); !fault.what.empty())
    return broken(fmt::format("invalid JSON at byte {}: {}", fault.offset + 1, fault.what));
  const JsonCursor root(line, 0);
  if (root.type() != JsonType::kObject) return broken(fmt::format("expected an object, not {}", name_of(root.type())));
  for (size_t column = 0; column < names_.size(); ++column) {
    JsonCursor value = root;
    if (!root.member(names_[column], value)) continue;
    switch (value.type()) {
      case JsonType::kString:
        static_cast<void>(value.string(cells_[column].emplace()));
        break;
      case JsonType::kNumber:
        cells_[column] = value.scalar();
        break;
      case JsonType::kNull:
        if (null_ == Null::kNoCell) break;
        [[fallthrough]];
      default:
        return {fmt::format("{}: expected a string or a number, not {}", names_[column], name_of(value.type())),
                value.type() == JsonType::kNull ? RejectKind::kMissingField : RejectKind::kFieldType};
    }
  }
  return {};
}

}  // namespace neardup
