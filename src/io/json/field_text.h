// Formats of values in our output: JSON strings, TSV cells, numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// Appends `text` as a JSON string with its quotes. Malformed UTF-8 becomes U+FFFD.
void append_json_string(std::string_view text, std::string& out);
/// The same for well-formed UTF-8.
void append_valid_json_string(std::string_view text, std::string& out);
/// As append_json_string() without quotes, for text that comes in pieces; a piece must not end inside a character.
void append_json_escaped(std::string_view text, std::string& out);
/// Appends `text` with tab, newline and carriage return as a blank each.
void append_tsv_cell(std::string_view text, std::string& out);
void append_number(uint64_t value, std::string& out);
/// With six decimals, the same as printf("%.6f").
void append_similarity(double value, std::string& out);

}  // namespace neardup
