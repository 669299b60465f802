// The version of Unicode that normalizers, tokenizers and word classes go by: that of the ICU library.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// The version of recipes that name none.
inline constexpr std::string_view kDefaultUnicode = "15.0";

/// "15.0": major and minor number; the third one changes no property.
std::string unicode_version();

}  // namespace neardup
