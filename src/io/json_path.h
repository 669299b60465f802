// find_field(): a dotted path in a JSON object, the same way wherever a field is named.
#pragma once

#include <string_view>

#include "io/json_scan.h"

namespace neardup {

/// Finds `path` below `object`: as one name, else as the longest name that leads on to the rest.
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

}  // namespace neardup
