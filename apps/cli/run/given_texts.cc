#include "cli/run/given_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/options/check_invocation.h"
#include "cli/piped_text.h"
#include "cli/read_text.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup::cli {
namespace {

// True for what newcomers write in place of --text: words that name no file.
bool looks_like_text(const std::string& input) {
  std::error_code ignored;
  return std::ranges::any_of(input, [](unsigned char c) { return c == ' ' || c >= 0x80; }) && !is_uri(input) &&
         input.find_first_of("*?[/") == std::string::npos && !std::filesystem::exists(input, ignored);
}

}  // namespace

std::unique_ptr<GivenTexts> given_texts(const Invocation& invocation, std::string_view command, PipedText piped, Reporter& reporter) {
  const std::vector<std::string>& inputs = invocation.arguments;
  const bool given = invocation.has("text");
  if (given && !inputs.empty()) throw Error(ErrorCode::kUsage, fmt::format("give --text or INPUT ('{}'), not both", inputs.front()));
  if (!given && inputs.empty())
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup {} INPUT... or neardup {} --text TEXT", command, command));
  if (!given && inputs.size() == 1 && looks_like_text(inputs.front()))
    throw Error(ErrorCode::kUsage, fmt::format("no file is named '{}'; to give a text: --text TEXT", inputs.front()));
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
