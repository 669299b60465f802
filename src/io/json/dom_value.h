// DomValue: a value that simdjson parsed, in the shape that json_value.h describes. Included by json_record.cc alone, because simdjson.h
// takes two seconds to compile.
#pragma once

#include <simdjson.h>

#include <charconv>
#include <string>
#include <string_view>

#include "io/json/json_scan.h"

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

}  // namespace neardup
