#include "io/port/verdict_fields.h"

#include "io/json/field_text.h"

namespace neardup {
namespace {

void append_name(std::string_view prefix, std::string_view name, std::string& out) {
  out += ",\"";
  out += prefix;
  out += name;
  out += "\":";
}

}  // namespace

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
}

void append_verdict_object(std::string_view prefix, const Verdict& verdict, const DocumentSource& source, std::string& out) {
  const size_t begin = out.size();
  append_verdict_json(prefix, verdict, source, out);
  out[begin] = '{';  // where the comma was
  out.push_back('}');
}

}  // namespace neardup
