#include "io/sql/mysql/sql_mysql_result.h"

#include <string>
#include <string_view>
#include <utility>

namespace neardup {
namespace {

constexpr unsigned int kBinaryCharset = 63;

bool says_json(const MYSQL_FIELD* field) {
  MARIADB_CONST_STRING format{};
  return field->type == MYSQL_TYPE_JSON ||
         (mariadb_field_attr(&format, field, MARIADB_FIELD_ATTR_FORMAT_NAME) == 0 && std::string_view(format.str, format.length) == "json");
}

SqlFamily family_of(const MYSQL_FIELD* field) {
  switch (field->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_FLOAT:
    case MYSQL_TYPE_DOUBLE:
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
    case MYSQL_TYPE_YEAR:
    case MYSQL_TYPE_BIT:
      return SqlFamily::kNumber;
    case MYSQL_TYPE_GEOMETRY:
      return SqlFamily::kBytes;
    case MYSQL_TYPE_VARCHAR:
    case MYSQL_TYPE_VAR_STRING:
    case MYSQL_TYPE_STRING:
    case MYSQL_TYPE_TINY_BLOB:
    case MYSQL_TYPE_MEDIUM_BLOB:
    case MYSQL_TYPE_LONG_BLOB:
    case MYSQL_TYPE_BLOB:
    case MYSQL_TYPE_JSON:
      if (says_json(field)) return SqlFamily::kJson;
      return field->charsetnr == kBinaryCharset ? SqlFamily::kBytes : SqlFamily::kText;
    default:
      return SqlFamily::kText;
  }
}

SqlColumn column_of(const MYSQL_FIELD& field) {
  SqlColumn column;
  column.name = std::string(field.name, field.name_length);
  column.family = family_of(&field);
  const std::string quoted = sql_quoted(column.name, '`');
  // As text a FLOAT has six digits, and bits are bytes.
  if (field.type == MYSQL_TYPE_FLOAT) column.read = "(" + quoted + " + 0e0)";
  if (field.type == MYSQL_TYPE_BIT) column.read = "(" + quoted + " + 0)";
  if (field.type == MYSQL_TYPE_FLOAT) column.unordered = "a FLOAT is not equal to its own digits";
  if (field.type == MYSQL_TYPE_BIT) column.unordered = "bits are neither a number nor a text";
  if ((field.flags & (ENUM_FLAG | SET_FLAG)) != 0) column.unordered = "an ENUM or SET is sorted by number and compared as text";
  if (column.family == SqlFamily::kJson) column.unordered = "it is JSON";
  return column;
}

SqlCell cell(SqlFamily family, const char* data, unsigned long length, std::string& number) {
  if (data == nullptr) return {};
  const std::string_view bytes(data, length);
  switch (family) {
    case SqlFamily::kNumber:
      return number_cell(bytes, number);
    case SqlFamily::kJson:
      return {SqlKind::kJson, bytes};
    case SqlFamily::kBytes:
      return {SqlKind::kBytes, bytes};
    default:
      return {SqlKind::kText, bytes};
  }
}

}  // namespace

std::vector<SqlColumn> columns_in(MYSQL_RES* result) {
  std::vector<SqlColumn> found;
  const MYSQL_FIELD* fields = mysql_fetch_fields(result);
  for (unsigned int i = 0; i < mysql_num_fields(result); ++i) found.push_back(column_of(fields[i]));
  return found;
}

void visit_rows(MYSQL_RES* result, const SqlConnection::Visit& visit) {
  const unsigned int count = mysql_num_fields(result);
  const MYSQL_FIELD* fields = mysql_fetch_fields(result);
  std::vector<SqlFamily> families;
  for (unsigned int i = 0; i < count; ++i) families.push_back(family_of(fields + i));
  std::vector<SqlCell> row(count);
  std::vector<std::string> numbers(count);
  while (const MYSQL_ROW values = mysql_fetch_row(result)) {
    const unsigned long* lengths = mysql_fetch_lengths(result);
    for (unsigned int i = 0; i < count; ++i) row[i] = cell(families[i], values[i], lengths[i], numbers[i]);
    visit(row);
  }
}

}  // namespace neardup
