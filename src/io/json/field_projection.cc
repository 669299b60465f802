#include "io/json/field_projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "io/json/added_members.h"
#include "io/json/field_text.h"
#include "io/json/json_path.h"
#include "io/json/json_scan.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/fingerprint_text.h"

namespace neardup {
namespace {

constexpr std::string_view kComputed[] = {"$text", "$raw_text", "$id", "$source", "$row", "$fingerprint", "$fingerprint_long"};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kUsage, "fields: " + what);
}

}  // namespace

std::vector<std::string> copied_fields(std::string_view fields) {
  return FieldProjection::copied(fields);
}

std::vector<std::string> FieldProjection::copied(std::string_view fields) {
  std::vector<std::string> paths;
  if (fields.empty()) return paths;
  for (Member& member : parse(fields)) {
    if (member.value == Value::kField) paths.push_back(std::move(member.path));
  }
  return paths;
}

std::vector<FieldProjection::Member> FieldProjection::parse(std::string_view fields) {
  std::vector<Member> members;
  while (true) {
    const size_t end = std::min(fields.find(','), fields.size());
    Member member = parse_member(fields.substr(0, end));
    if (std::ranges::find(members, member.name, &Member::name) != members.end()) refuse(fmt::format("'{}' is named twice", member.name));
    members.push_back(std::move(member));
    if (end == fields.size()) return members;
    fields.remove_prefix(end + 1);
  }
}

FieldProjection::FieldProjection(std::string_view fields, const Recipe& recipe, std::string key)
    : key_(std::move(key)), members_(parse(fields)) {
  for (const Member& member : members_) {
    names_key_ = names_key_ || member.name == key_;
    const bool fingerprint = member.value == Value::kFingerprint || member.value == Value::kFingerprintLong;
    if (fingerprint) {
      check_fingerprint(member, recipe);
      if (!sketcher_) sketcher_ = std::make_unique<const Sketcher>(recipe);
    }
    needs_text_ = needs_text_ || fingerprint || member.value == Value::kText || member.value == Value::kRawText;
    if (member.value == Value::kText) cleaners_ = CleanChain::parse(recipe.clean, {.line_lists = recipe.line_lists});
  }
}

FieldProjection::Member FieldProjection::parse_member(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    refuse(fmt::format("expected NAME=VALUE, not '{}'", text));
  }
  Member member{std::string(text.substr(0, equals)), Value::kField, std::string(text.substr(equals + 1))};
  if (!member.path.starts_with('$')) return member;
  const auto* const found = std::ranges::find(kComputed, member.path);
  if (found == std::end(kComputed)) {
    refuse(fmt::format("'{}' is not a computed value; expected one of {}", member.path, fmt::join(kComputed, ", ")));
  }
  member.value = static_cast<Value>(1 + (found - std::begin(kComputed)));
  return member;
}

void FieldProjection::check_fingerprint(const Member& member, const Recipe& recipe) const {
  if (!recipe.fingerprints()) {
    refuse(fmt::format("{} needs a recipe that makes fingerprints; '{}' makes MinHash signatures", member.path, recipe.name));
  }
  if (recipe.needs_fitting()) {
    refuse(fmt::format(
        "{} is not available while documents are written: '{}' weighs words by the corpus itself. Make the table first (neardup "
        "idf) and name it in the recipe",
        member.path, recipe.name));
  }
  if (member.value == Value::kFingerprintLong && recipe.bits != 64) {
    refuse(fmt::format("{} is for fingerprints of 64 bits, and those of '{}' have {}", member.path, recipe.name, recipe.bits));
  }
}

void FieldProjection::write(const Record& record, std::string_view line, const DocumentSource& source, std::string& out) const {
  auto scratch = scratches_.take();
  if (!scratch) scratch = std::make_unique<Scratch>();
  char before = '{';
  if (!key_.empty() && !names_key_) {
    out += std::exchange(before, ',');
    append_json_string(key_, out);
    out += ':';
    const std::string_view key = member_of(line, key_);
    if (key.empty()) {
      append_made_key(record, source, out);
    } else {
      out += key;
    }
  }
  for (const Member& member : members_) {
    out += std::exchange(before, ',');
    append_json_string(member.name, out);
    out += ':';
    write_value(member, record, line, source, *scratch, out);
  }
  out += '}';
  scratches_.give(std::move(scratch));
}

void FieldProjection::write_value(const Member& member, const Record& record, std::string_view line, const DocumentSource& source,
                                  Scratch& scratch, std::string& out) const {
  switch (member.value) {
    case Value::kField: {
      const JsonCursor root(line, 0);
      JsonCursor found;
      out += root.type() == JsonType::kObject && find_field(root, member.path, found) ? found.scalar() : std::string_view("null");
      return;
    }
    case Value::kText:
      return append_json_string(cleaners_.clean(record.text, scratch.cleaner), out);
    case Value::kRawText:
      return append_json_string(record.text, out);
    case Value::kId:
      if (record.has_id) return append_json_string(record.id, out);
      out += "null";
      return;
    case Value::kSource:
      return append_json_string(source.source_name(record.where.source), out);
    case Value::kRow:
      return append_number(record.where.row, out);
    case Value::kFingerprint:
    case Value::kFingerprintLong:
      return write_fingerprint(member.value, record.text, scratch, out);
  }
}

void FieldProjection::write_fingerprint(Value form, std::string_view text, Scratch& scratch, std::string& out) const {
  scratch.sketch.resize(sketcher_->sketch_words());
  if (sketcher_->sketch(text, scratch.sketcher, scratch.sketch).too_short) {
    out += "null";
    return;
  }
  const Fingerprint128 fingerprint = Sketcher::fingerprint(scratch.sketch);
  if (form == Value::kFingerprint) {
    out += '"';
    append_fingerprint(FingerprintText::kHex, sketcher_->recipe().bits, fingerprint, out);
    out += '"';
    return;
  }
  const auto number = static_cast<int64_t>(fingerprint.low);
  if (key_.empty()) {
    append_format(out, "{}", number);
  } else {  // a plain number would be stored in 32 bits if it fits
    append_format(out, R"({{"$numberLong":"{}"}})", number);
  }
}

}  // namespace neardup
