#include "options.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

bool takes(const OptionRow& row, std::string_view command) {
  const std::string commands = fmt::format(" {} ", row.commands);
  return commands.find(fmt::format(" {} ", command)) != std::string::npos;
}

const OptionRow& row_of(const std::string& name, std::string_view command) {
  NearestNames nearest(name, 1);
  for (const OptionRow& row : option_table()) {
    if (!takes(row, command)) continue;
    if (row.name == name) return row;
    nearest.look(row.name);
  }
  const std::vector<std::string> meant = nearest.names();
  throw Error(ErrorCode::kUsage,
              fmt::format("unknown option '{}'{}", name, meant.empty() ? "" : "; did you mean '" + meant.front() + "'?"));
}

// The shortest digits that read back as this number, without an exponent.
std::string digits_of(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find('e') == std::string::npos) return text;
  text = fmt::format("{:.20f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string list_text(const std::string& name, nb::handle list) {
  std::string text;
  for (const nb::handle element : list) {
    if (nb::isinstance<nb::list>(element) || nb::isinstance<nb::tuple>(element))
      throw nb::type_error(fmt::format("{}: a list in a list", name).c_str());
    text += fmt::format("{}{}", text.empty() ? "" : ",", option_text(name, element));
  }
  return text;
}

}  // namespace

std::string option_text(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::dict>(value)) return nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(value));
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) return list_text(name, value);
  if (nb::hasattr(value, "__fspath__")) return nb::cast<std::string>(nb::str(value.attr("__fspath__")()));
  if (nb::hasattr(value, "__index__")) return nb::cast<std::string>(nb::str(value.attr("__index__")()));
  if (nb::hasattr(value, "__float__")) return digits_of(nb::cast<double>(nb::float_(value)));
  throw nb::type_error(fmt::format("{}: expected a number, a string, a boolean or a list, not {}", name, type_of(value)).c_str());
}

Options options_of(const nb::dict& given, std::string_view command) {
  Options options;
  for (const auto& [key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    const OptionRow& row = row_of(name, command);
    if (!value.is_none()) row.set(options, option_text(name, value));
  }
  return options;
}

}  // namespace neardup::python
