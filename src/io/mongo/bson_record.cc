#include "io/mongo/bson_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "io/mongo/bson_value.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// Numbers that JSON readers accept: finite ones.
bool number_of(const bson_iter_t& value, double& out) {
  switch (bson_iter_type(&value)) {
    case BSON_TYPE_INT32:
    case BSON_TYPE_INT64:
      out = static_cast<double>(bson_iter_as_int64(&value));
      return true;
    case BSON_TYPE_DOUBLE:
      out = bson_iter_double(&value);
      return std::isfinite(out);
    default:
      return false;
  }
}

std::string no_text_problem(const std::vector<std::string>& fields) {
  if (fields.size() == 1) return fmt::format("no field '{}'", fields.front());
  std::string names;
  for (const std::string& field : fields) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", field);
  return "none of the fields " + names;
}

// A copy whose strings and names are well-formed.
void copy_repaired(bson_iter_t& from, bson_t& to) {
  std::string name;
  std::string text;
  while (bson_iter_next(&from)) {
    repair_utf8(bson_iter_key(&from), name);
    const auto name_size = static_cast<int>(name.size());
    const bson_type_t type = bson_iter_type(&from);
    bson_iter_t inner;
    bson_t child;
    if (type == BSON_TYPE_UTF8) {
      uint32_t size = 0;
      const char* const bytes = bson_iter_utf8(&from, &size);
      repair_utf8({bytes, size}, text);
      bson_append_utf8(&to, name.data(), name_size, text.data(), static_cast<int>(text.size()));
    } else if (type == BSON_TYPE_DOCUMENT && bson_iter_recurse(&from, &inner)) {
      bson_append_document_begin(&to, name.data(), name_size, &child);
      copy_repaired(inner, child);
      bson_append_document_end(&to, &child);
    } else if (type == BSON_TYPE_ARRAY && bson_iter_recurse(&from, &inner)) {
      bson_append_array_begin(&to, name.data(), name_size, &child);
      copy_repaired(inner, child);
      bson_append_array_end(&to, &child);
    } else {
      bson_append_iter(&to, name.data(), name_size, &from);
    }
  }
}

// A string or a number, or an id of MongoDB.
bool is_name(bson_type_t type) {
  return type == BSON_TYPE_UTF8 || type == BSON_TYPE_INT32 || type == BSON_TYPE_INT64 || type == BSON_TYPE_DOUBLE ||
         type == BSON_TYPE_DECIMAL128 || type == BSON_TYPE_OID;
}

}  // namespace

void write_json(const bson_t& document, bool canonical, std::string& out) {
  const auto convert = canonical ? bson_as_canonical_extended_json : bson_as_relaxed_extended_json;
  out.clear();
  size_t bytes = 0;
  char* json = convert(&document, &bytes);
  if (json == nullptr) {
    bson_iter_t iter;
    if (!bson_iter_init(&iter, &document)) return;
    bson_t repaired = BSON_INITIALIZER;
    copy_repaired(iter, repaired);
    json = convert(&repaired, &bytes);
    bson_destroy(&repaired);
  }
  if (json != nullptr) out.assign(json, bytes);
  bson_free(json);
}

bson_t* new_projection(const RecordFields& fields) {
  std::vector<std::string> paths = fields.text;
  for (const std::string& path : {fields.id, fields.rank, fields.block, std::string("_id")}) {
    if (!path.empty()) paths.push_back(path);
  }
  for (const FieldValue& rule : fields.protect) paths.push_back(rule.field);
  // With '.' below every other character, the paths inside a path follow it immediately.
  const auto key = [](std::string path) {
    std::ranges::replace(path, '.', '\0');
    return path;
  };
  std::ranges::sort(paths, {}, key);
  bson_t* const projection = bson_new();
  std::string outer;
  for (const std::string& path : paths) {
    if (!outer.empty() && (path == outer || path.starts_with(outer + "."))) continue;
    outer = path;
    bson_append_int32(projection, path.data(), static_cast<int>(path.size()), 1);
  }
  return projection;
}

void BsonRecord::read(const bson_t& document, Batch::Need need, Record& record) {
  if (need != Batch::Need::kText) write_line(document, record);
  if (need == Batch::Need::kRaw) return;
  read_id(document, record);
  read_block(document, record);
  read_protection(document, record);
  if (read_text(document, record)) read_rank(document, record);
}

void BsonRecord::write_line(const bson_t& document, Record& record) {
  write_json(document, exact_types_, line_);
  record.raw = line_;
}

void BsonRecord::reject(Record& record, RejectKind kind, std::string problem) {
  problem_ = {std::move(problem), kind};
  const DocumentId where = record.where;
  const std::string_view raw = record.raw;
  record = {};
  record.where = where;
  record.raw = raw;
  problem_.tell(record);
}

void BsonRecord::read_id(const bson_t& document, Record& record) {
  bson_iter_t value;
  if (fields_.id.empty() || !find_value(document, fields_.id, value)) return;
  if (bson_iter_type(&value) == BSON_TYPE_NULL && fields_.id != "_id") return;
  id_.clear();
  append_id_text(value, id_);
  record.id = id_;
  record.has_id = true;
}

void BsonRecord::read_rank(const bson_t& document, Record& record) const {
  bson_iter_t value;
  double number = 0;
  if (fields_.rank.empty() || !find_value(document, fields_.rank, value) || !number_of(value, number)) return;
  record.has_rank_value = true;
  record.rank_value = number;
}

void BsonRecord::read_protection(const bson_t& document, Record& record) {
  record.is_protected = false;
  for (const FieldValue& rule : fields_.protect) {
    bson_iter_t value;
    if (record.is_protected || !find_value(document, rule.field, value)) continue;
    protection_.clear();
    if (bson_iter_type(&value) == BSON_TYPE_BOOL) {
      protection_ = bson_iter_bool(&value) ? "true" : "false";
    } else if (is_name(bson_iter_type(&value))) {
      append_id_text(value, protection_);
    } else {
      continue;
    }
    record.is_protected = protection_ == rule.value;
  }
}

void BsonRecord::read_block(const bson_t& document, Record& record) {
  bson_iter_t value;
  if (fields_.block.empty() || !find_value(document, fields_.block, value)) return;
  if (!is_name(bson_iter_type(&value))) return;
  block_.clear();
  append_id_text(value, block_);
  record.block = block_;
}

void BsonRecord::join(const bson_iter_t& string, Record& record) {
  uint32_t size = 0;
  const char* const bytes = bson_iter_utf8(&string, &size);
  const std::string_view piece(bytes, size);
  if (std::exchange(joined_, true)) text_.push_back('\n');
  if (is_valid_utf8(piece)) {
    text_ += piece;
    return;
  }
  std::string repaired;
  repair_utf8(piece, repaired);
  text_ += repaired;
  record.repaired = true;
}

bool BsonRecord::read_strings(const bson_iter_t& array, const std::string& field, Record& record) {
  bson_iter_t element;
  if (!bson_iter_recurse(&array, &element)) return true;
  while (bson_iter_next(&element)) {
    if (bson_iter_type(&element) != BSON_TYPE_UTF8) {
      reject(record, RejectKind::kFieldType,
             fmt::format("field '{}' is an array with {} in it, not of strings", field, name_of(bson_iter_type(&element))));
      return false;
    }
    join(element, record);
  }
  return true;
}

bool BsonRecord::read_text(const bson_t& document, Record& record) {
  text_.clear();
  joined_ = false;
  bool any = false;
  for (const std::string& field : fields_.text) {
    bson_iter_t value;
    if (!find_value(document, field, value)) continue;
    const bson_type_t type = bson_iter_type(&value);
    if (type == BSON_TYPE_NULL && fields_.text.size() > 1) continue;
    if (type == BSON_TYPE_ARRAY) {
      if (!read_strings(value, field, record)) return false;
    } else if (type == BSON_TYPE_UTF8) {
      join(value, record);
    } else {
      reject(record, type == BSON_TYPE_NULL ? RejectKind::kMissingField : RejectKind::kFieldType,
             fmt::format("field '{}' is {}, not a string", field, name_of(type)));
      return false;
    }
    any = true;
  }
  const uint64_t most = std::min<uint64_t>(max_text_bytes_, limits::kMaxTextBytes);
  if (!any) {
    reject(record, RejectKind::kMissingField, no_text_problem(fields_.text));
  } else if (text_.size() > most) {
    reject(record, RejectKind::kTooLong, fmt::format("a text of {} bytes is above the limit of {}", text_.size(), most));
    any = false;
  }
  if (any) record.text = text_;
  return any;
}

}  // namespace neardup
