#include "io/sql/sql_row.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "io/json/json_scan.h"

namespace neardup {
namespace {

constexpr std::string_view kAdded = "neardup_";
constexpr size_t kDoubleDigits = 15;  // decimal digits that a double always holds

SqlValue value_of(const JsonCursor& cursor) {
  SqlValue value;
  switch (cursor.type()) {
    case JsonType::kNull:
      return value;
    case JsonType::kBoolean:
      value.kind = SqlKind::kBoolean;
      break;
    case JsonType::kNumber:
      value.kind = SqlKind::kNumber;
      break;
    case JsonType::kString:
      value.kind = SqlKind::kText;
      cursor.string(value.bytes);
      return value;
    case JsonType::kArray:
    case JsonType::kObject:
      value.kind = SqlKind::kJson;
  }
  value.bytes = cursor.scalar();
  return value;
}

SqlNeed need_of_number(std::string_view digits) {
  const bool whole = digits.find_first_of(".eE") == std::string_view::npos;
  const std::string_view mantissa = digits.substr(0, digits.find_first_of("eE"));
  const auto count = static_cast<size_t>(std::ranges::count_if(mantissa, is_ascii_digit));
  if (whole) {
    if (count <= kDoubleDigits) return SqlNeed::kInteger;
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() ? SqlNeed::kBigInteger : SqlNeed::kDecimal;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) return SqlNeed::kDecimal;
  return count <= kDoubleDigits || shortest_double(value) == digits ? SqlNeed::kDouble : SqlNeed::kDecimal;
}

bool is_number(SqlNeed need) noexcept {
  return need >= SqlNeed::kInteger && need <= SqlNeed::kDecimal;
}

void append_quoted(std::string_view text, std::string& out) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_array(const JsonCursor& array, std::string& out) {
  out.push_back('{');
  bool first = true;
  std::string text;
  for (JsonCursor element; array.next_element(element);) {
    if (!first) out.push_back(',');
    first = false;
    switch (element.type()) {
      case JsonType::kArray:
        append_array(element, out);
        break;
      case JsonType::kNull:
        out += "NULL";
        break;
      case JsonType::kString:
        element.string(text);
        append_quoted(text, out);
        break;
      default:
        append_quoted(element.scalar(), out);
    }
  }
  out.push_back('}');
}

}  // namespace

void parse_sql_line(std::string_view line, std::vector<SqlMember>& members) {
  members.clear();
  const JsonCursor object(line, 0);
  std::string name;
  for (JsonCursor value; object.next_member(name, value);) {
    const auto same = std::ranges::find(members, name, &SqlMember::name);
    if (same == members.end()) {
      members.push_back({.name = name, .value = value_of(value)});
    } else if (name.starts_with(kAdded)) {
      same->value = value_of(value);
    }
  }
}

SqlNeed need_of(const SqlCell& value) {
  switch (value.kind) {
    case SqlKind::kNull:
      return SqlNeed::kNothing;
    case SqlKind::kBoolean:
      return SqlNeed::kBoolean;
    case SqlKind::kNumber:
      return need_of_number(value.bytes);
    case SqlKind::kJson:
      return SqlNeed::kJson;
    case SqlKind::kText:
    case SqlKind::kBytes:
      break;
  }
  return SqlNeed::kText;
}

SqlNeed merged(SqlNeed a, SqlNeed b) noexcept {
  if (a == b || b == SqlNeed::kNothing) return a;
  if (a == SqlNeed::kNothing) return b;
  if (!is_number(a) || !is_number(b)) return SqlNeed::kText;
  const auto [less, more] = std::minmax(a, b);
  return less == SqlNeed::kBigInteger && more == SqlNeed::kDouble ? SqlNeed::kDecimal : more;
}

SqlFamily family_of(SqlNeed need) noexcept {
  if (need == SqlNeed::kBoolean) return SqlFamily::kBoolean;
  if (need == SqlNeed::kJson) return SqlFamily::kJson;
  return is_number(need) ? SqlFamily::kNumber : SqlFamily::kText;
}

std::string postgres_array(std::string_view json) {
  std::string out;
  append_array(JsonCursor(json, 0), out);
  return out;
}

}  // namespace neardup
