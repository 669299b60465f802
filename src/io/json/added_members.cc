#include "io/json/added_members.h"

#include "io/json/field_text.h"
#include "io/json/json_scan.h"

namespace neardup {
namespace {

using json_detail::skip_white;

void append_name(std::string_view prefix, std::string_view name, std::string& out) {
  out += ",\"";
  out += prefix;
  out += name;
  out += "\":";
}

}  // namespace

std::string_view member_of(std::string_view line, std::string_view name) {
  const JsonCursor root(line, 0);
  JsonCursor found;
  return root.type() == JsonType::kObject && root.member(name, found) ? found.scalar() : std::string_view();
}

void append_place_key(const DocumentId& where, const DocumentSource& source, std::string& out) {
  std::string place(source.source_name(where.source));
  place += ':';
  append_number(where.row, place);
  append_json_string(place, out);
}

void append_made_key(const Record& record, const DocumentSource& source, std::string& out) {
  if (record.has_id) {
    append_json_string(record.id, out);
  } else {
    append_place_key(record.where, source, out);
  }
}

void append_keyed_line(std::string_view key, std::string_view line, const Record& record, const DocumentSource& source, std::string& out) {
  if (!member_of(line, key).empty()) {
    out += line;
    return;
  }
  const size_t inside = skip_white(line, 0) + 1;
  out += "{\"";
  out += key;
  out += "\":";
  append_made_key(record, source, out);
  if (line[skip_white(line, inside)] != '}') out += ',';
  out += line.substr(inside);
}

void append_verdict_json(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out) {
  const bool removed = verdict.decision == Decision::kRemove;
  append_name(prefix, "verdict", out);
  append_json_string(to_string(verdict.decision), out);
  append_name(prefix, "reason", out);
  append_json_string(to_string(verdict.reason), out);
  append_name(prefix, "keeper_id", out);
  if (removed && verdict.keeper_has_id) {
    append_json_string(verdict.keeper_id, out);
  } else {
    out += "null";
  }
  append_name(prefix, "keeper_source", out);
  if (removed) {
    append_json_string(source.source_name(verdict.keeper.source), out);
  } else {
    out += "null";
  }
  append_name(prefix, "keeper_row", out);
  if (removed) {
    append_number(verdict.keeper.row, out);
  } else {
    out += "null";
  }
  append_name(prefix, "similarity", out);
  if (removed) {
    append_similarity(verdict.similarity, out);
  } else {
    out += "null";
  }
  append_name(prefix, "cluster_id", out);
  append_place_key(verdict.cluster, source, out);
  append_name(prefix, "cluster_size", out);
  append_number(verdict.cluster_size, out);
}

void append_verdict_object(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out) {
  const size_t begin = out.size();
  append_verdict_json(prefix, verdict, source, out);
  out[begin] = '{';  // where the comma was
  out.push_back('}');
}

}  // namespace neardup
