#include "cli/tune/tune_toml.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kCommentWidth = 100;

// Comments have no escapes, so nothing in them may be a control character.
void append_comment(std::string_view text, std::string& out) {
  const std::string lines = wrapped(printable(text), 0, kCommentWidth);
  for (const std::string& line : split(lines, '\n')) out += "# " + line + "\n";
}

void append_reasons(const TuneAdvice& advice, std::string_view option, std::string& out) {
  for (const TuneAdvice::Reason& reason : advice.reasons) {
    if (reason.option == option) append_comment(reason.text, out);
  }
}

}  // namespace

std::string tune_toml(const TuneResult& result) {
  const TuneAdvice& advice = result.advice;
  std::string out;
  append_comment(fmt::format("neardup tune, {}. Expected to remove {} of them ({} to {}).", counted(result.corpus.documents, "document"),
                             percent(result.expected.all.likely), percent(result.expected.all.low), percent(result.expected.all.high)),
                 out);
  out += '\n';
  append_reasons(advice, "recipe", out);
  out += fmt::format("recipe = {}\n", json_quote(advice.recipe));  // a JSON string without control characters is a TOML string
  if (!advice.clean.empty()) {
    append_reasons(advice, "clean", out);
    out += fmt::format("clean = {}\n", json_quote(advice.clean));
  }
  append_reasons(advice, "threshold", out);
  out += fmt::format("threshold = {}\n", advice.threshold.value());
  if (advice.min_length > 0) {
    append_reasons(advice, "min_length", out);
    out += fmt::format("min_length = {}\n", advice.min_length);
  }
  for (const std::string& note : advice.notes) {
    out += '\n';
    append_comment(note + ".", out);
  }
  return out;
}

}  // namespace neardup::cli
