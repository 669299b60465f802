#include "io/sql/sql_array.h"

#include "io/json/json_scan.h"

namespace neardup {
namespace {

void append_quoted(std::string_view text, std::string& out) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_array(const JsonCursor& array, std::string& out) {
  out.push_back('{');
  bool first = true;
  std::string text;
  for (JsonCursor element; array.next_element(element);) {
    if (!first) out.push_back(',');
    first = false;
    switch (element.type()) {
      case JsonType::kArray:
        append_array(element, out);
        break;
      case JsonType::kNull:
        out += "NULL";
        break;
      case JsonType::kString:
        element.string(text);
        append_quoted(text, out);
        break;
      default:
        append_quoted(element.scalar(), out);
    }
  }
  out.push_back('}');
}

}  // namespace

std::string postgres_array(std::string_view json) {
  std::string out;
  append_array(JsonCursor(json, 0), out);
  return out;
}

}  // namespace neardup
