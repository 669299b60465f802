// The cleaners, one factory each; make_cleaner() chooses by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/clean/cleaner.h"

namespace neardup {

std::unique_ptr<const Cleaner> make_tag_cleaner();
/// Throws Error{kUsage} in a build without a parser.
std::unique_ptr<const Cleaner> make_html_cleaner();

/// What a marker cleaner looks for: bytes, or a pattern of RE2.
struct Marker {
  enum class Kind { kLiteral, kPattern } kind = Kind::kLiteral;
  std::string text;
};
enum class MarkerAction { kCutBefore, kCutAfter, kRemove };
/// "cut_before", "cut_after", "remove".
std::string_view name_of(MarkerAction action) noexcept;
/// Throws Error{kUsage} for an empty literal, a pattern that RE2 does not take, and one that matches the empty text.
std::unique_ptr<const Cleaner> make_marker_cleaner(MarkerAction action, const Marker& marker);

}  // namespace neardup
