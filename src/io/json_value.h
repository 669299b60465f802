// DomValue and CursorValue: the two JSON readers behind one shape, so that what a record means is written once (json_record.cc).
#pragma once

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "io/json_scan.h"

namespace neardup {

/// A value that simdjson parsed.
class DomValue {
 public:
  explicit DomValue(simdjson::dom::element element) noexcept : element_(element) {}

  [[nodiscard]] JsonType type() const noexcept {
    switch (element_.type()) {
      case simdjson::dom::element_type::ARRAY:
        return JsonType::kArray;
      case simdjson::dom::element_type::OBJECT:
        return JsonType::kObject;
      case simdjson::dom::element_type::STRING:
        return JsonType::kString;
      case simdjson::dom::element_type::BOOL:
        return JsonType::kBoolean;
      case simdjson::dom::element_type::NULL_VALUE:
        return JsonType::kNull;
      default:
        return JsonType::kNumber;
    }
  }
  bool member(std::string_view name, DomValue& found) const noexcept {
    simdjson::dom::object object;
    return element_.get(object) == simdjson::SUCCESS && object.at_key(name).get(found.element_) == simdjson::SUCCESS;
  }
  /// Calls visit(DomValue) -> bool for the elements of an array, until it gives false.
  template <typename Visit>
  void each(const Visit& visit) const {
    simdjson::dom::array array;
    if (element_.get(array) != simdjson::SUCCESS) return;
    for (const simdjson::dom::element element : array) {
      if (!visit(DomValue(element))) return;
    }
  }
  /// The value of a string; may point into the parser, or to `storage`.
  std::string_view string(std::string& storage, bool& repaired) const {
    static_cast<void>(storage);
    static_cast<void>(repaired);
    std::string_view value;
    return element_.get(value) == simdjson::SUCCESS ? value : std::string_view();
  }
  /// A number as it stands in the line. False when only the line itself knows: the parser keeps the value, not the digits.
  bool number_text(std::string& out) const {
    char digits[24];
    int64_t value = 0;
    uint64_t large = 0;
    std::to_chars_result end{};
    if (element_.get(value) == simdjson::SUCCESS && value != 0) {  // 0 may have been written -0
      end = std::to_chars(digits, digits + sizeof digits, value);
    } else if (element_.get(large) == simdjson::SUCCESS && large != 0) {
      end = std::to_chars(digits, digits + sizeof digits, large);
    } else {
      return false;
    }
    out.assign(digits, end.ptr);
    return true;
  }
  /// A finite number as a double.
  bool number(double& out) const noexcept { return element_.get(out) == simdjson::SUCCESS; }

 private:
  simdjson::dom::element element_;
};

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
  bool number(double& out) const noexcept {
    if (type() != JsonType::kNumber) return false;
    const std::string_view digits = cursor_.scalar();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc() && std::isfinite(out);
  }

 private:
  JsonCursor cursor_;
};

}  // namespace neardup
