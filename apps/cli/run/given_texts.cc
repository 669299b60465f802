#include "cli/run/given_texts.h"

#include <fmt/format.h>

#include "cli/options/check_invocation.h"
#include "cli/piped_text.h"
#include "cli/read_text.h"
#include "neardup/error.h"

namespace neardup::cli {

std::unique_ptr<GivenTexts> given_texts(const Invocation& invocation, std::string_view command, PipedText piped, Reporter& reporter) {
  const std::vector<std::string>& inputs = invocation.arguments;
  const bool given = invocation.has("text");
  if (given && !inputs.empty()) throw Error(ErrorCode::kUsage, fmt::format("give --text or INPUT ('{}'), not both", inputs.front()));
  if (!given && inputs.empty())
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup {} INPUT... or neardup {} --text TEXT", command, command));
  const InputFormat format = invocation.options.format;
  const bool standard_input = !given && inputs.size() == 1 && inputs.front() == "-";
  const bool whole = standard_input && format == InputFormat::kText;
  const bool plain = standard_input && format == InputFormat::kAuto && input_is_plain_text();
  if (!given && !whole && !plain) return nullptr;
  for (const std::string_view name :
       {"rejects", "max-rejects", "strict", "max-record-bytes", "summary", "metrics", "text-field", "id-field"}) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for inputs of many documents", name));
  }
  if (given) {
    if (invocation.has("format")) throw Error(ErrorCode::kUsage, "--format is for INPUT; --text is a text");
    check_effects(invocation, RunFacts{.inputs = {.lines = true}});
  }
  auto found = std::make_unique<GivenTexts>();
  found->bytes = given ? invocation.value("text") : read_utf8("-", invocation.options.charset, reporter);
  if (plain && piped == PipedText::kLines) {
    found->texts = text_lines(found->bytes);
  } else {
    found->texts = {found->bytes};
  }
  return found;
}

}  // namespace neardup::cli
