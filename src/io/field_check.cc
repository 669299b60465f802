#include "io/field_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/json_path.h"
#include "io/json_scan.h"
#include "io/json_value.h"
#include "io/row_cells.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kMostNames = 20;

std::string names_of(JsonCursor object) {
  std::string names;
  std::string name;
  size_t count = 0;
  for (JsonCursor member; object.next_member(name, member); ++count) {
    if (count < kMostNames) names += fmt::format("{}{}", names.empty() ? "" : ", ", shown_cell(name, name.size()).substr(1, name.size()));
  }
  if (count > kMostNames) names += fmt::format(" and {} more", count - kMostNames);
  return names.empty() ? "none" : names;
}

}  // namespace

FieldCheck::FieldCheck(const SourceOptions& options) {
  using Checks = SourceOptions::FieldChecks;
  if (options.field_checks == Checks::kNone) return;
  for (const std::string& field : options.text_field) fields_.push_back({.name = field, .option = "--text-field", .is_text = true});
  if (options.field_checks == Checks::kText) return;
  if (options.id_field != kAutoIdField && !options.id_field.empty()) fields_.push_back({.name = options.id_field, .option = "--id-field"});
  if (!options.rank_field.empty()) fields_.push_back({.name = options.rank_field, .option = "--keep"});
  for (const std::string& field : options.required_fields) fields_.push_back({.name = field, .option = "--fields"});
}

bool FieldCheck::wants_more() const noexcept {
  return !fields_.empty() && inputs_ < kMostInputs;
}

void FieldCheck::look(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next) {
  ++inputs_;
  Seen seen{.input = std::string(name)};
  uint64_t bytes = 0;
  bool done = false;
  while (!done && bytes < kMostBytes) {
    const std::unique_ptr<Batch> batch = next();
    if (!batch) break;
    batch->read(Batch::Need::kRaw, {}, [&](uint32_t, const Record& record) {
      bytes += record.raw.size() + 1;
      if (done || !record.problem.empty()) return;
      look_at(record.raw, seen);
      done = seen.text && std::ranges::all_of(fields_, &Field::found);
    });
  }
  if (seen.objects >= kManyObjects && !seen.text) refuse(seen, fields_.front());
  if (first_.objects == 0) first_ = std::move(seen);
}

// By the careful reader: as a rule the first record has all fields, and no other is looked at.
void FieldCheck::look_at(std::string_view line, Seen& seen) {
  if (find_invalid_utf8(line) != std::string_view::npos || !check_json(line).what.empty()) return;
  const JsonCursor cursor(line, 0);
  if (cursor.type() != JsonType::kObject) return;
  if (seen.objects++ == 0) seen.names = names_of(cursor);
  const CursorValue root(cursor);
  for (Field& field : fields_) {
    if (field.found && (seen.text || !field.is_text)) continue;
    if (!each_field(root, field.name, [](const CursorValue&) { return false; })) continue;
    field.found = true;
    seen.text = seen.text || field.is_text;
  }
}

void FieldCheck::finish() const {
  if (first_.objects == 0) return;
  const auto missing = std::ranges::find(fields_, false, &Field::found);
  if (missing != fields_.end()) refuse(first_, *missing);
}

void FieldCheck::refuse(const Seen& seen, const Field& field) const {
  // Of several text fields none is there: all are named.
  std::string wanted;
  const bool any_text = field.is_text && !seen.text;
  for (const Field& other : fields_) {
    if (&other == &field || (any_text && other.is_text)) wanted += fmt::format("{}'{}'", wanted.empty() ? "" : ", ", other.name);
  }
  const bool several = wanted.find("', '") != std::string::npos;
  throw Error(ErrorCode::kInput, fmt::format("{}: no record has {} {}; fields of the first record: {}. Use {}.", seen.input,
                                             several ? "one of the fields" : "the field", wanted, seen.names, field.option));
}

}  // namespace neardup
