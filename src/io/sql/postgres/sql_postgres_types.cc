#include "io/sql/postgres/sql_postgres_types.h"

namespace neardup {
namespace {

// pg_type.oid of built-in types; they never change.
constexpr Oid kBool = 16;
constexpr Oid kBytea = 17;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kOid = 26;
constexpr Oid kJson = 114;
constexpr Oid kFloat4 = 700;
constexpr Oid kFloat8 = 701;
constexpr Oid kNumeric = 1700;
constexpr Oid kJsonb = 3802;

SqlFamily family_of(Oid type, std::string_view category) {
  switch (type) {
    case kBool:
      return SqlFamily::kBoolean;
    case kBytea:
      return SqlFamily::kBytes;
    case kJson:
    case kJsonb:
      return SqlFamily::kJson;
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
    case kFloat4:
    case kFloat8:
    case kNumeric:
      return SqlFamily::kNumber;
    default:
      return category == "A" ? SqlFamily::kArray : SqlFamily::kText;
  }
}

SqlCell cell(const PGresult* result, int i, std::string& storage) {
  if (PQgetisnull(result, 0, i) != 0) return {};
  const std::string_view bytes(PQgetvalue(result, 0, i), static_cast<size_t>(PQgetlength(result, 0, i)));
  switch (family_of(PQftype(result, i), {})) {
    case SqlFamily::kBoolean:
      return {SqlKind::kBoolean, bytes == "t" ? "true" : "false"};
    case SqlFamily::kNumber:
      return number_cell(bytes, storage);
    case SqlFamily::kJson:
      return {SqlKind::kJson, bytes};
    case SqlFamily::kBytes:
      storage = from_hex(bytes.substr(2));
      return {SqlKind::kBytes, storage};
    default:
      return {SqlKind::kText, bytes};
  }
}

}  // namespace

void set_postgres_family(SqlColumn& column, Oid type, std::string_view category) {
  column.family = family_of(type, category);
  if (column.family == SqlFamily::kArray) column.read = "to_json(" + sql_quoted(column.name, '"') + ")";
  if (column.family == SqlFamily::kJson) column.unordered = "it is JSON";
}

SqlConnection::Row PostgresRow::cells(const PGresult* result) {
  const int count = PQnfields(result);
  row_.resize(static_cast<size_t>(count));
  storage_.resize(row_.size());
  for (int i = 0; i < count; ++i) row_[static_cast<size_t>(i)] = cell(result, i, storage_[static_cast<size_t>(i)]);
  return row_;
}

}  // namespace neardup
