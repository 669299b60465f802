#include "io/port/field_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/json/json_path.h"
#include "io/json/json_scan.h"
#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"
#include "neardup/tools/printable.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

constexpr size_t kMaxNames = 20;
constexpr size_t kMaxLooked = 1000;  // names that a mistyped one is compared with
constexpr size_t kMaxNearest = 2;

// `all`: the first kMaxLooked of them.
std::string names_of(JsonCursor object, std::vector<std::string>& all) {
  std::string names;
  std::string name;
  size_t count = 0;
  for (JsonCursor member; object.next_member(name, member); ++count) {
    if (count < kMaxNames) names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(name));
    if (count < kMaxLooked) all.push_back(name);
  }
  if (count > kMaxNames) names += fmt::format(" and {} more", count - kMaxNames);
  return names.empty() ? "none" : names;
}

}  // namespace

FieldCheck::FieldCheck(const SourceOptions& options) : warn_(options.warn) {
  using Checks = SourceOptions::FieldChecks;
  if (options.field_checks == Checks::kNone) return;
  for (const std::string& field : options.text_field) fields_.push_back({.name = field, .option = "--text-field", .is_text = true});
  // Of a reference corpus, too: without blocks it would match nothing.
  if (!options.block_field.empty()) fields_.push_back({.name = options.block_field, .option = "--block-on"});
  if (options.field_checks == Checks::kText) return;
  if (options.id_field != kAutoIdField && !options.id_field.empty()) fields_.push_back({.name = options.id_field, .option = "--id-field"});
  if (!options.rank_field.empty()) fields_.push_back({.name = options.rank_field, .option = "--keep"});
  for (const FieldValue& rule : options.protect) fields_.push_back({.name = rule.field, .option = "--protect"});
  for (const std::string& field : options.required_fields) fields_.push_back({.name = field, .option = "--fields"});
}

void FieldCheck::look(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next) {
  if (fields_.empty()) return;
  if (looks_ == kMaxInputs) return pass_over();
  ++looks_;
  Seen seen{.input = std::string(name)};
  uint64_t bytes = 0;
  bool done = false;
  while (!done && bytes < kMaxBytes) {
    const std::unique_ptr<Batch> batch = next();
    if (!batch) break;
    batch->read(Batch::Need::kRaw, {}, [&](uint32_t, const Record& record) {
      bytes += record.raw.size() + 1;
      if (done || !record.problem.empty()) return;
      look_at(record.raw, seen);
      done = seen.text && std::ranges::all_of(fields_, &Field::found);
    });
  }
  seen.whole = !done && bytes < kMaxBytes;
  if (seen.objects >= kManyObjects && !seen.text) refuse(seen, fields_.front());
  all_seen_ = all_seen_ && seen.whole;
  if (seen.objects == 0) return;
  all_.objects += seen.objects;
  all_.text = all_.text || seen.text;
  if (++all_.inputs > 1) return;
  all_.input = std::move(seen.input);
  all_.names = std::move(seen.names);
  all_.all_names = std::move(seen.all_names);
}

void FieldCheck::check_late(std::string_view name, const std::function<std::unique_ptr<Batch>()>& next) {
  look(name, next);
  --expected_;
  finish();
}

// By the careful reader: usually the first record has all fields, and no other is read.
void FieldCheck::look_at(std::string_view line, Seen& seen) {
  if (find_invalid_utf8(line) != std::string_view::npos || !check_json(line).what.empty()) return;
  const JsonCursor cursor(line, 0);
  if (cursor.type() != JsonType::kObject) return;
  if (seen.objects++ == 0) seen.names = names_of(cursor, seen.all_names);
  const CursorValue root(cursor);
  for (Field& field : fields_) {
    if (field.found && (seen.text || !field.is_text)) continue;
    if (!each_field(root, field.name, [](const CursorValue&) { return false; })) continue;
    field.found = true;
    seen.text = seen.text || field.is_text;
  }
}

void FieldCheck::finish() const {
  if (expected_ > 0 || all_.objects == 0) return;
  Seen seen = all_;
  seen.whole = all_seen_;
  bool text_warned = false;
  for (const Field& field : fields_) {
    if (field.found) continue;
    const bool no_text = field.is_text && !seen.text;
    if (seen.whole || (no_text && seen.objects >= kManyObjects)) refuse(seen, field);
    if (warn_ && !(no_text && text_warned)) warn_(fmt::format("{} ({})", lack(seen, field), field.option));
    text_warned = text_warned || no_text;
  }
}

// "a.jsonl: none of the 3 records has the field 'x'; fields of the first record: id, text"
std::string FieldCheck::lack(const Seen& seen, const Field& field) const {
  // None of several text fields is present: names all.
  std::string wanted;
  const bool any_text = field.is_text && !seen.text;
  for (const Field& other : fields_) {
    if (&other == &field || (any_text && other.is_text)) wanted += fmt::format("{}'{}'", wanted.empty() ? "" : ", ", other.name);
  }
  const bool several = wanted.find("', '") != std::string::npos;
  const std::string_view first = seen.whole ? "" : "first ";
  const std::string more = seen.inputs > 1 ? fmt::format(" and {}", counted(seen.inputs - 1, "more input", "more inputs")) : "";
  const std::string none = seen.objects == 1 ? fmt::format("the {} record lacks", seen.whole ? "only" : "first")
                                             : fmt::format("none of the {}{} records has", first, grouped(seen.objects));
  return fmt::format("{}{}: {} {} {}; fields of the first record: {}", seen.input, more, none,
                     several ? (seen.objects == 1 ? "all of the fields" : "any of the fields") : "the field", wanted, seen.names);
}

// "Did you mean 'score'? Use --keep." A field of which records are told apart by their values is not one that others replace.
std::string FieldCheck::advice(const Seen& seen, const Field& field) {
  NearestNames nearest(field.name, kMaxNearest);
  for (const std::string& name : seen.all_names) nearest.look(name);
  std::string near;
  for (const std::string& name : nearest.names()) near += fmt::format("{}'{}'", near.empty() ? "" : " or ", printable(name));
  if (!near.empty()) near = fmt::format("Did you mean {}? ", near);
  if (field.option != "--protect") return fmt::format("{}Use {}.", near, field.option);
  return near + "Name a field of the records in --protect FIELD=VALUE; without it, no document is protected.";
}

void FieldCheck::refuse(const Seen& seen, const Field& field) const {
  throw Error(ErrorCode::kInput, fmt::format("{}. {}", lack(seen, field), advice(seen, field)));
}

}  // namespace neardup
