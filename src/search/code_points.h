// The code points of a form.
#pragma once

#include <string_view>
#include <vector>

#include "text/utf8/utf8.h"

namespace neardup {

/// Replaces `out`.
inline void to_code_points(std::string_view form, std::vector<char32_t>& out) {
  out.clear();
  for (size_t at = 0; at < form.size();) {
    const Decoded decoded = decode_quickly(form, at);
    out.push_back(decoded.code_point);
    at += decoded.length;
  }
}

}  // namespace neardup
