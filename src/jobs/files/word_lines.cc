#include "jobs/files/word_lines.h"

#include "base/format.h"
#include "io/json/field_text.h"
#include "text/utf8/code_point_cursor.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

bool is_blank_word(std::string_view word) {
  for (size_t at = 0; at < word.size();) {
    const Decoded decoded = decode_utf8(word, at);
    if (!is_white_space(decoded.code_point)) return false;
    at += decoded.length;
  }
  return true;
}

}  // namespace

void begin_word_line(const Record& record, std::string_view field, std::string& out) {
  out += "{\"id\":";
  if (record.has_id) {
    append_json_string(record.id, out);
  } else {
    out += "null";
  }
  out += ",\"";
  out += field;
  out += "\":[";
}

void append_word_offsets(std::span<const FoundWord> words, std::string_view text, std::string& out) {
  CodePointCursor cursor(text);
  out += ",\"offsets\":[";
  bool first = true;
  for (const FoundWord& word : words) {
    const size_t begin = cursor.count_before(word.begin);
    append_format(out, "{}[{},{}]", first ? "" : ",", begin, cursor.count_before(word.end));
    first = false;
  }
  out.push_back(']');
}

void append_plain_words(std::span<const FoundWord> words, std::string_view separator, bool tags, std::string& out) {
  bool first = true;
  for (const FoundWord& word : words) {
    if (is_blank_word(word.text)) continue;
    if (!first) out += separator;
    first = false;
    out += word.text;
    if (!tags) continue;
    out.push_back('/');
    out += word.tag;
  }
  out.push_back('\n');
}

}  // namespace neardup
