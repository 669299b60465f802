// printable: makes any text harmless for a terminal.
//
// Ids, names of files and messages of servers may hold bytes that move the cursor, set titles, reverse the direction of writing or are no
// UTF-8. Each is written as an escape that can be read: \x1b, \u202e, \xff. All other text, in any script, is returned as it is.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

enum class Escapes {
  kLine,   ///< of one line: line ends and tabs are escaped too, as \n, \r and \t
  kLines,  ///< of several lines: line ends and tabs stay
  kJson,   ///< of JSON: as the escapes of JSON strings, with line ends and tabs as they are; bytes that are not UTF-8 become the text \xff
};

/// Escapes control characters (C0, DEL, C1), marks and overrides of the direction of writing, separators of lines and paragraphs, and
/// bytes that are not UTF-8.
std::string printable(std::string_view text, Escapes escapes = Escapes::kLine);

/// The number of bytes at the end of `text` that begin an incomplete character, which a stream keeps for its next piece.
size_t unfinished_character(std::string_view text) noexcept;

}  // namespace neardup
