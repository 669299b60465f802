#include "message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "neardup/options.h"

namespace neardup::python {
namespace {

constexpr std::string_view kWriteRejects = "--max-rejects 100% --rejects FILE writes them all";
constexpr std::string_view kListRejects = "max_rejects='100%' accepts them, and the rejects of the result list them all";

// The length of the leading characters that `is` accepts.
template <typename Is>
size_t run_length(std::string_view text, Is is) {
  return static_cast<size_t>(std::ranges::find_if_not(text, [&](char c) { return is(static_cast<unsigned char>(c)); }) - text.begin());
}

// The argument of an option without "--"; empty for options that only the command line has.
std::string argument_of(std::string_view option) {
  std::string name(option);
  std::ranges::replace(name, '-', '_');
  if (name == "text_field") return "the argument 'text'";
  if (name == "id_field") return "the argument 'id'";
  return std::ranges::find(option_table(), name, &OptionRow::name) != option_table().end() ? name : std::string();
}

// Translates the option at the beginning of `rest`; returns how much of it, 0 if it is none.
size_t translate_option(std::string_view rest, std::string& out) {
  if (!rest.starts_with("--")) return 0;
  const size_t end =
      2 + run_length(rest.substr(2), [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-'; });
  const std::string argument = argument_of(rest.substr(2, end - 2));
  if (argument.empty()) return 0;
  out += argument;
  // A number after it is its value.
  if (end + 1 >= rest.size() || rest[end] != ' ' || std::isdigit(static_cast<unsigned char>(rest[end + 1])) == 0) return end;
  std::string_view value = rest.substr(end + 1);
  value = value.substr(0, run_length(value, [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '%'; }));
  while (value.ends_with('.')) value.remove_suffix(1);
  const bool number = run_length(value, [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; }) == value.size();
  out += number ? fmt::format("={}", value) : fmt::format("='{}'", value);
  return end + 1 + value.size();
}

}  // namespace

std::string in_python(std::string_view message) {
  std::string out;
  for (size_t at = 0; at < message.size();) {
    const std::string_view rest = message.substr(at);
    if (rest.starts_with(kWriteRejects)) {
      out += kListRejects;
      at += kWriteRejects.size();
    } else if (const size_t end = rest.find('\'', 1); rest.starts_with("'neardup ") && end != rest.npos) {
      out += rest.substr(0, end);
      at += end;
    } else if (const size_t length = translate_option(rest, out); length > 0) {
      at += length;
    } else {
      out.push_back(rest.front());
      ++at;
    }
  }
  return out;
}

}  // namespace neardup::python
