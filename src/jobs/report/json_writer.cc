#include "jobs/report/json_writer.h"

#include "base/format.h"
#include "dedup/report/summary_parts.h"

namespace neardup {

// A value follows a name, the opening bracket of an array, or another value: only then a comma separates them.
void JsonWriter::begin_value() {
  if (out_.empty()) return;
  const char last = out_.back();
  if (last != ':' && last != '[' && last != '{') out_ += ',';
}

JsonWriter& JsonWriter::open(char bracket) {
  begin_value();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  append_format(out_, "\"{}\":", name);
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  return raw(summary_parts::json_string(value));
}

JsonWriter& JsonWriter::whole(uint64_t value) {
  begin_value();
  append_format(out_, "{}", value);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  begin_value();
  append_format(out_, "{:.6g}", value);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  begin_value();
  out_ += json;
  return *this;
}

}  // namespace neardup
