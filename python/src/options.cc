#include "options.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"

namespace neardup::python {
namespace {

// `commands` is a list with blanks.
bool takes(std::string_view commands, std::string_view command) {
  for (size_t at = 0; at < commands.size();) {
    const size_t end = std::min(commands.find(' ', at), commands.size());
    if (commands.substr(at, end - at) == command) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

const OptionRow& option_row(const std::string& name, std::string_view command) {
  NearestNames nearest(name, 1);
  for (const OptionRow& row : option_table()) {
    if (!takes(row.commands, command) || row.name == "text_field" || row.name == "id_field") continue;
    if (row.name == name) return row;
    nearest.look(row.name);
  }
  const std::vector<std::string> near = nearest.names();
  throw Error(ErrorCode::kUsage, fmt::format("{}() has no option '{}'{}", command, name,
                                             near.empty() ? "" : fmt::format("; did you mean '{}'?", near.front())));
}

Options options_of(const GivenOptions& given, std::string_view command) {
  Options options;
  for (const auto& [name, value] : given) option_row(name, command).set(options, value);
  return options;
}

}  // namespace neardup::python
