// find_field(), each_field(): find a dotted path in a JSON object, by the same rules everywhere. CursorValue: a result in the careful
// reader; values parsed by simdjson have the same members (json_record.cc), so that the meaning of records is implemented once.
#pragma once

#include <charconv>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "io/json/json_scan.h"

namespace neardup {

/// A value that the careful reader found.
class CursorValue {
 public:
  explicit CursorValue(JsonCursor cursor) noexcept : cursor_(cursor) {}

  [[nodiscard]] JsonType type() const noexcept { return cursor_.type(); }
  bool member(std::string_view name, CursorValue& found) const {
    return type() == JsonType::kObject && cursor_.member(name, found.cursor_);
  }
  template <typename Visit>
  void each(const Visit& visit) const {
    for (JsonCursor element; cursor_.next_element(element);) {
      if (!visit(CursorValue(element))) return;
    }
  }
  std::string_view string(std::string& storage, bool& repaired) const {
    if (cursor_.string(storage)) repaired = true;
    return storage;
  }
  bool number_text(std::string& out) const {
    out = cursor_.scalar();
    return true;
  }
  [[nodiscard]] bool boolean() const noexcept { return cursor_.scalar() == "true"; }
  bool number(double& out) const noexcept {
    if (type() != JsonType::kNumber) return false;
    const std::string_view digits = cursor_.scalar();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc() && std::isfinite(out);
  }

 private:
  JsonCursor cursor_;
};

/// Finds `path` below `object`: as one name, else as the longest name below which the rest is found.
template <class Value>
bool find_field(const Value& object, std::string_view path, Value& found) {
  if (object.member(path, found)) return true;
  for (size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
    Value inner = object;
    if (object.member(path.substr(0, dot), inner) && inner.type() == JsonType::kObject && find_field(inner, path.substr(dot + 1), found)) {
      return true;
    }
  }
  return false;
}

/// The suffix of an array's name that means each of its elements: "messages[*].content".
inline constexpr std::string_view kEachElement = "[*]";

/// True if the path `field` leads into the member `name`, or is that name.
inline bool leads_into(std::string_view name, std::string_view field) noexcept {
  return field.starts_with(name) && (field.size() == name.size() || field[name.size()] == '.' || field[name.size()] == '[');
}

/// Visits the values at `path` below `object`: that of find_field(), or without such a field, if the path has kEachElement, that of each
/// element in order. `visit(Value)` returns false to stop. Returns false when there is nothing to visit; an empty array counts as
/// something.
template <class Value, class Visit>
bool each_field(const Value& object, std::string_view path, const Visit& visit) {
  Value found = object;
  if (find_field(object, path, found)) {
    visit(found);
    return true;
  }
  const size_t star = path.find(kEachElement);
  if (star == std::string_view::npos || !find_field(object, path.substr(0, star), found) || found.type() != JsonType::kArray) return false;
  const std::string_view rest = path.substr(star + kEachElement.size());
  bool any = false;
  bool empty = true;
  bool more = true;
  const auto pass_on = [&](const Value& value) { return more = visit(value); };
  found.each([&](const Value& element) {
    empty = false;
    if (rest.empty()) {
      any = true;
      pass_on(element);
    } else if (rest.front() == '.' && element.type() == JsonType::kObject) {
      any = each_field(element, rest.substr(1), std::function<bool(const Value&)>(pass_on)) || any;
    }
    return more;
  });
  return any || empty;
}

}  // namespace neardup
