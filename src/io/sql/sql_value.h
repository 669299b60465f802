// SqlCell: one value of a row from a server, and its form in a line of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

enum class SqlKind : uint8_t {
  kNull,
  kNumber,   ///< bytes are a JSON number
  kBoolean,  ///< "true" or "false"
  kText,     ///< any bytes, usually UTF-8
  kJson,     ///< a JSON text
  kBytes,
};

struct SqlCell {
  SqlKind kind = SqlKind::kNull;
  std::string_view bytes;
};

/// A cell that owns its bytes.
struct SqlValue {
  SqlKind kind = SqlKind::kNull;
  std::string bytes;

  SqlValue() = default;
  SqlValue(SqlKind what, std::string_view value) : kind(what), bytes(value) {}
  explicit SqlValue(const SqlCell& cell) : kind(cell.kind), bytes(cell.bytes) {}
  [[nodiscard]] SqlCell cell() const noexcept { return {kind, bytes}; }
};

/// The number in JSON form: "0042" -> 42, ".5" -> 0.5. Empty if it is not a number ("NaN", "Infinity").
std::string json_number(std::string_view digits);
/// A number, whose digits are in `storage`, or a text if JSON has no such number.
SqlCell number_cell(std::string_view digits, std::string& storage);
/// With the fewest digits that read back as the same double, and a point or an exponent; "Infinity", "-Infinity", "NaN" are not numbers.
std::string shortest_double(double value);

/// Appends the cell as a JSON value. Bytes are base64. Bytes of a text that are not UTF-8 become \udcXX each (a lone surrogate, as
/// Python's surrogateescape has it): the reader counts the record as repaired, and nothing is lost. JSON with line breaks stays one line.
void append_json_value(const SqlCell& cell, std::string& out);

std::string to_base64(std::string_view bytes);
/// False if `text` is not base64 with padding (RFC 4648, section 4).
bool from_base64(std::string_view text, std::string& bytes);
/// "0a0B" -> bytes. Requires an even number of hexadecimal digits.
std::string from_hex(std::string_view digits);
std::string to_hex(std::string_view bytes);

}  // namespace neardup
