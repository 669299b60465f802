// Times, shares and strings as people and JSON want them; numbers and sizes: neardup/tools/readable.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/readable.h"  // IWYU pragma: export

namespace neardup::cli {

/// "0:07", "1:02:03"
std::string clock_time(double seconds);
/// Two or three significant digits, without exponents where people read numbers: "0.21", "1,234".
std::string rounded(double value);
/// A JSON string with its quotes.
std::string json_quote(std::string_view text);
/// At most `most` bytes: the beginning and the end of a longer text, never cutting a character.
std::string shortened(std::string_view text, size_t most);
/// Columns that UTF-8 text takes on a terminal: two for a Chinese character, none for a combining mark. Bytes that are not UTF-8 count one.
size_t display_width(std::string_view text);
/// Breaks lines at blanks so that none is wider than `width`; every line but the first is indented.
std::string wrapped(std::string_view text, size_t indent, size_t width);
/// A word of a command line for a shell, quoted if necessary.
std::string shell_word(const std::string& word);
/// The option table writes max_record_bytes, the command line max-record-bytes.
std::string dashed(std::string_view name);

/// "n,vn" at ',': n, vn. One more part than separators.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace neardup::cli
