#include "cli/run/single_text.h"

#include <fmt/format.h>

#include <vector>

#include "cli/read_text.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup::cli {

std::optional<std::string> single_text(const Invocation& invocation, std::string_view command) {
  const std::vector<std::string>& inputs = invocation.arguments;
  const bool given = invocation.has("text");
  if (given && !inputs.empty()) throw Error(ErrorCode::kUsage, fmt::format("give --text or INPUT ('{}'), not both", inputs.front()));
  if (!given && inputs.empty())
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup {} INPUT... or neardup {} --text TEXT", command, command));
  const bool piped = !given && inputs.size() == 1 && inputs.front() == "-" && invocation.options.format == InputFormat::kText;
  if (!given && !piped) return std::nullopt;
  for (const std::string_view name : {"rejects", "summary", "metrics", "text-field", "id-field"}) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for inputs of many documents", name));
  }
  if (given) return invocation.value("text");
  return to_utf8(read_text("-"), invocation.options.charset);
}

}  // namespace neardup::cli
