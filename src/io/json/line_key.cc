#include "io/json/line_key.h"

#include "io/json/field_text.h"
#include "io/json/json_detail.h"
#include "io/json/json_scan.h"

namespace neardup {

using json_detail::skip_white;

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

}  // namespace neardup
