// The careful reader of JSON: slow, exact about positions, and more lenient than the fast parser in two points.
//
// It reads lines that simdjson rejects, and is the twin that tests compare simdjson with. RFC 8259 to the letter, except that a \u escape
// may be half of a surrogate pair (Python writes such lines), and that numbers may have any size. At most kMaxJsonDepth brackets are open
// at a time. Functions allocate only the strings they return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hex.h"

namespace neardup {

inline constexpr size_t kMaxJsonDepth = 1024;
/// The fault of a text with more bytes after a complete value.
inline constexpr std::string_view kFollowsValue = "something follows the value";

enum class JsonType : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
/// "a string", "an object", ...
std::string_view name_of(JsonType type) noexcept;

struct JsonFault {
  size_t offset = 0;
  std::string what;  ///< "unexpected character 'n'", "the value is cut off", ...; empty: the text is JSON
};
/// Checks the whole text, which must be valid UTF-8. Empty text is a fault.
JsonFault check_json(std::string_view text);

/// A value inside a text accepted by check_json(), as everything below requires.
class JsonCursor {
 public:
  /// The value that begins at or after `at`, after white space.
  JsonCursor(std::string_view text, size_t at) noexcept;
  /// No value yet, for next_element().
  JsonCursor() noexcept = default;

  [[nodiscard]] JsonType type() const noexcept;
  /// Finds the first member of this object with that name. False if there is none.
  bool member(std::string_view name, JsonCursor& found) const;
  /// Moves `element`, default to begin with, to the next element of this array. False after the last one.
  bool next_element(JsonCursor& element) const;
  /// Moves on to the next member of this object, with `value` default to begin with. False after the last one.
  bool next_member(std::string& name, JsonCursor& value) const;
  /// The bytes of the value, unchanged.
  [[nodiscard]] std::string_view scalar() const noexcept;
  /// Replaces `out` by the value of this string; true if half surrogate pairs were replaced by U+FFFD.
  bool string(std::string& out) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
};

/// The first byte that is not part of well-formed UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text) noexcept;

/// Small steps of reading JSON, shared with code that cuts or changes JSON texts.
namespace json_detail {

inline constexpr std::string_view kWhite = " \t\n\r";

inline size_t skip_white(std::string_view text, size_t at) noexcept {
  const size_t found = text.find_first_not_of(kWhite, at);
  return found == std::string_view::npos ? text.size() : found;
}

// The four hexadecimal digits at `at`, or -1.
inline int32_t hex4(std::string_view text, size_t at) noexcept {
  if (text.size() < at + 4) return -1;
  int32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

}  // namespace json_detail

}  // namespace neardup
