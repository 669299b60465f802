#include "neardup/tools/online_answer.h"

#include "base/format.h"
#include "io/json/field_text.h"

namespace neardup {

void append_online_answer(std::string_view id, const OnlineAnswer& answer, bool has_sequence, std::string& out) {
  out += R"({"id":)";
  append_json_string(id, out);
  if (answer.outcome == OnlineOutcome::kConflict || answer.outcome == OnlineOutcome::kInvalid) {
    out += R"(,"verdict":null,"problem":)";
    append_json_string(answer.problem, out);
    out += '}';
    return;
  }
  append_format(out, R"(,"verdict":"{}","reason":"{}","keeper_id":)", to_string(answer.decision),
                answer.outcome == OnlineOutcome::kRepeated ? "repeated" : to_string(answer.reason));
  if (answer.decision == Decision::kRemove) {
    append_json_string(answer.keeper_id, out);
    out += R"(,"similarity":)";
    append_similarity(answer.similarity, out);
  } else {
    out += R"(null,"similarity":null)";
  }
  if (has_sequence) {
    out += R"(,"sequence":)";
    append_number(answer.sequence, out);
  }
  out += '}';
}

void append_json_text(std::string_view text, std::string& out) {
  append_json_string(text, out);
}

}  // namespace neardup
