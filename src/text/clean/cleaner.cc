#include "text/clean/cleaner.h"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <optional>

#include "neardup/error.h"
#include "text/clean/clean_parts.h"
#include "text/clean/line_list.h"

namespace neardup {
namespace {

namespace json = boost::json;
constexpr std::string_view kNames = "tags_v1, html_v1, lines_v1, cut_before, cut_after, remove";

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

json::value parse_json(std::string_view text, std::string_view what) {
  boost::system::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) fail(fmt::format("{}: '{}' is not JSON: {}", what, text, error.message()));
  return value;
}

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

std::optional<MarkerAction> marker_action(std::string_view name) {
  for (const MarkerAction action : {MarkerAction::kCutBefore, MarkerAction::kCutAfter, MarkerAction::kRemove}) {
    if (name_of(action) == name) return action;
  }
  return std::nullopt;
}

Marker parse_marker(std::string_view name, const json::value& value) {
  if (value.is_string()) return {Marker::Kind::kLiteral, std::string(view(value.get_string()))};
  if (value.is_object() && value.get_object().size() == 1) {
    const json::key_value_pair& member = *value.get_object().begin();
    const std::string_view key(member.key().data(), member.key().size());
    if (member.value().is_string() && (key == "literal" || key == "pattern")) {
      const auto kind = key == "literal" ? Marker::Kind::kLiteral : Marker::Kind::kPattern;
      return {kind, std::string(view(member.value().get_string()))};
    }
  }
  fail(fmt::format(R"({}: expected a text, {{"literal": text}} or {{"pattern": text}}, not {})", name, json::serialize(value)));
}

std::unique_ptr<const Cleaner> find_line_list(const json::value& value, const CleanerFiles& files) {
  uint64_t id = 0;
  const std::string_view text = value.is_string() ? view(value.get_string()) : std::string_view();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("lines_v1: expected the id of a line list, 16 hexadecimal digits, not {}", json::serialize(value)));
  }
  for (const std::string& path : files.line_lists) {
    LineList list = LineList::load(path);
    if (list.id() == id) return make_line_cleaner(std::move(list));
  }
  fail(fmt::format("lines_v1: none of the {} line lists given has the id {:016x}", files.line_lists.size(), id));
}

std::unique_ptr<const Cleaner> make(const json::value& value, const CleanerFiles& files) {
  if (value.is_string()) {
    const std::string_view name = view(value.get_string());
    if (name == "tags_v1") return make_tag_cleaner();
    if (name == "html_v1") return make_html_cleaner();
    if (name == "lines_v1" || marker_action(name)) fail(fmt::format(R"({}: expected {{"{}": ...}})", name, name));
    fail(fmt::format("no cleaner is named '{}'; there are {}", name, kNames));
  }
  if (!value.is_object() || value.get_object().size() != 1) {
    fail(fmt::format("a cleaner is a name or an object with one member, not {}", json::serialize(value)));
  }
  const json::key_value_pair& member = *value.get_object().begin();
  const std::string_view name(member.key().data(), member.key().size());
  if (name == "lines_v1") return find_line_list(member.value(), files);
  if (const auto action = marker_action(name)) return make_marker_cleaner(*action, parse_marker(name, member.value()));
  if (name == "tags_v1" || name == "html_v1") fail(fmt::format("{}: takes no value; write \"{}\"", name, name));
  fail(fmt::format("no cleaner is named '{}'; there are {}", name, kNames));
}

}  // namespace

std::unique_ptr<const Cleaner> make_cleaner(std::string_view text, const CleanerFiles& files) {
  return make(parse_json(text, "cleaner"), files);
}

CleanChain CleanChain::parse(std::string_view text, const CleanerFiles& files) {
  const json::value value = parse_json(text, "clean");
  if (!value.is_array()) fail(fmt::format("clean: expected an array of cleaners, not {}", json::serialize(value)));
  std::vector<std::unique_ptr<const Cleaner>> cleaners;
  for (const json::value& each : value.get_array()) {
    try {
      cleaners.push_back(make(each, files));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("clean[{}]: {}", cleaners.size(), error.what()));
    }
  }
  return CleanChain(std::move(cleaners));
}

std::string_view CleanChain::clean(std::string_view text, Cleaner::Scratch& scratch) const {
  size_t turn = 0;
  for (const auto& cleaner : cleaners_) {
    cleaner->clean(text, scratch.turns[turn], scratch);
    text = scratch.turns[turn];
    turn ^= 1;
  }
  return text;
}

std::string CleanChain::describe() const {
  std::string text = "[";
  for (const auto& cleaner : cleaners_) text += (text.size() > 1 ? "," : "") + cleaner->describe();
  return text + "]";
}

}  // namespace neardup
