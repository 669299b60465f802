// CursorValue: a value that the careful reader found. DomValue (dom_value.h) has the same members, so that what a record means is written
// once, as a template over both (json_record.cc, json_path.h).
#pragma once

#include <charconv>
#include <cmath>
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
