// The cleaners cut_before, cut_after and remove, which drop text at a marker.
//
// cut_before drops everything up to the end of the first occurrence, cut_after everything from the beginning of the first occurrence on; a
// text without an occurrence is unchanged. remove drops every occurrence, from left to right, not overlapping. A literal is compared byte
// by byte. A pattern is RE2's (UTF-8, leftmost match; linear time, never backtracking); bytes that are not UTF-8 match nothing. RE2 may
// read far beyond the match that it returns ("a.*b|a" searches for the last b), and remove searches again after each match: n matches would
// take quadratic time. So the k-th search of a text reads kSearchedBytes / k bytes from the start of a match, at least kMinSearchedBytes,
// and finds no longer match: the first thousand searches read 64 KiB and more.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/clean/cleaner.h"

namespace neardup {

/// The marker to search for: bytes, or a pattern of RE2.
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
