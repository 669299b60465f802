#include "server/api/json_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "neardup/tools/printable.h"
#include "server/api/api_error.h"

namespace neardup::server {
namespace {

constexpr size_t kMostIdBytes = 65'535;
constexpr size_t kShownBytes = 60;

// A value as messages show it.
std::string shown_value(const boost::json::value& value) {
  std::string text = boost::json::serialize(value);
  if (text.size() > kShownBytes) {
    text.resize(kShownBytes);
    text.resize(text.size() - unfinished_character(text));
    text += "...";
  }
  return printable(text);
}

[[noreturn]] void refuse_member(std::string_view name, std::string_view expected, const boost::json::value& value) {
  throw ApiError(400, fmt::format("\"{}\": expected {}, not {}", name, expected, shown_value(value)));
}

}  // namespace

JsonBody::JsonBody(std::string_view text, const boost::json::storage_ptr& memory) : object_(memory) {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(text, error, memory);
  if (error) throw ApiError(400, fmt::format("the text is not JSON: {}", error.message()));
  if (!value.is_object()) throw ApiError(400, fmt::format("expected a JSON object, not {}", shown_value(value)));
  object_ = std::move(value.get_object());
}

const boost::json::value* JsonBody::find(std::string_view name) {
  known_.push_back(name);
  return object_.if_contains(name);
}

std::optional<std::string_view> JsonBody::optional_text(std::string_view name) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) return {};
  if (!value->is_string()) refuse_member(name, "a string", *value);
  return std::string_view(value->get_string());
}

std::string_view JsonBody::text(std::string_view name) {
  const std::optional<std::string_view> value = optional_text(name);
  if (!value) throw ApiError(400, fmt::format("\"{}\" is missing", name));
  return *value;
}

std::optional<std::string_view> JsonBody::optional_id(std::string_view name) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) return {};
  if (value->is_number()) {
    // 5.0 is an integer of JSON, too.
    boost::system::error_code no_signed, no_unsigned;
    const auto as_signed = value->to_number<int64_t>(no_signed);
    const auto as_unsigned = value->to_number<uint64_t>(no_unsigned);
    if (no_signed && no_unsigned) refuse_member(name, "a string or an integer of 64 bits", *value);
    return digits_.emplace_front(no_unsigned ? fmt::format("{}", as_signed) : fmt::format("{}", as_unsigned));
  }
  if (!value->is_string()) refuse_member(name, "a string or an integer", *value);
  return checked_id(value->get_string(), name);
}

bool JsonBody::flag(std::string_view name, bool otherwise) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_bool()) refuse_member(name, "true or false", *value);
  return value->get_bool();
}

std::optional<uint64_t> JsonBody::integer(std::string_view name, uint64_t least, uint64_t most) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) return {};
  const std::string expected = fmt::format("an integer from {} to {}", least, most);
  boost::system::error_code error;
  // 5.0 is an integer of JSON, too.
  const auto found = value->is_number() ? value->to_number<uint64_t>(error) : uint64_t{0};
  if (!value->is_number() || error || found < least || found > most) refuse_member(name, expected, *value);
  return found;
}

std::optional<double> JsonBody::number(std::string_view name, double least, double most) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) return {};
  const double found = value->is_number() ? value->to_number<double>() : 0;
  if (!value->is_number() || !(found >= least && found <= most)) {
    refuse_member(name, fmt::format("a number from {} to {}", least, most), *value);
  }
  return found;
}

std::vector<std::string_view> JsonBody::texts(std::string_view name, size_t most) {
  const boost::json::value* const value = find(name);
  if (value == nullptr) throw ApiError(400, fmt::format("\"{}\" is missing", name));
  if (!value->is_array()) refuse_member(name, "a list of strings", *value);
  const boost::json::array& list = value->get_array();
  if (list.empty() || list.size() > most)
    throw ApiError(400, fmt::format("\"{}\": expected 1 to {} strings, not {}", name, most, list.size()));
  std::vector<std::string_view> out;
  out.reserve(list.size());
  for (const boost::json::value& member : list) {
    if (!member.is_string()) refuse_member(name, "a list of strings", member);
    out.emplace_back(member.get_string());
  }
  return out;
}

void JsonBody::finish() const {
  for (const auto& member : object_) {
    if (std::ranges::find(known_, std::string_view(member.key())) == known_.end())
      throw ApiError(400, fmt::format("\"{}\" is not known here; known are: \"{}\"",
                                      printable(std::string_view(member.key()).substr(0, kShownBytes)), fmt::join(known_, "\", \"")));
  }
}

std::string_view checked_id(std::string_view id, std::string_view member) {
  if (id.empty() || id.size() > kMostIdBytes)
    throw ApiError(400, fmt::format("\"{}\": expected an id of 1 to {} bytes, not of {}", member, kMostIdBytes, id.size()));
  return id;
}

}  // namespace neardup::server
