#include "io/sql/sql_connection.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace neardup {

std::unique_ptr<SqlConnection> connect_sql(const SqlAddress& address, const SqlAccess& access) {
  switch (address.server) {
    case SqlServer::kPostgres:
      return connect_postgres(address, access);
    case SqlServer::kMysql:
      return connect_mysql(address, access);
    case SqlServer::kSqlite:
      break;
  }
  return connect_sqlite(address, access);
}

uint64_t SqlConnection::execute(const std::string& sql) {
  query(sql, [](Row) {});
  return changed();
}

std::string SqlConnection::identifier(std::string_view name) const {
  return sql_quoted(name, '"');
}

std::string SqlConnection::literal(const SqlCell& value) {
  switch (value.kind) {
    case SqlKind::kNull:
      return "NULL";
    case SqlKind::kNumber:
      return std::string(value.bytes);
    case SqlKind::kBoolean:
      return value.bytes == "true" ? "1" : "0";
    case SqlKind::kBytes:
      return "x'" + to_hex(value.bytes) + "'";
    case SqlKind::kText:
    case SqlKind::kJson:
      break;
  }
  return text_literal(value.bytes);
}

std::string SqlConnection::literal_for(const SqlColumn& column, const SqlCell& value) {
  if (value.kind == SqlKind::kNull) return literal(value);
  std::string converted;
  if (column.family == SqlFamily::kBytes && value.kind == SqlKind::kText) {
    if (from_base64(value.bytes, converted)) return literal({SqlKind::kBytes, converted});
    if (!any_type()) throw Error(ErrorCode::kOutput, "the column '" + column.name + "' holds bytes, and a value for it is not base64");
  } else if (column.family == SqlFamily::kJson) {
    append_json_value(value, converted);
    return literal({SqlKind::kText, converted});
  } else if (column.family == SqlFamily::kText && !any_type()) {
    return literal({SqlKind::kText, value.bytes});
  }
  return literal(value);
}

std::string SqlConnection::update_from(const std::string& table, const std::string& from, const std::vector<std::string>& columns,
                                       const std::string& condition) const {
  std::vector<std::string> sets;
  sets.reserve(columns.size());
  for (const std::string& column : columns) sets.push_back(fmt::format("{0} = s.{0}", column));
  return "UPDATE " + table + " AS t SET " + joined(sets) + " FROM " + from + " AS s WHERE " + condition;
}

void SqlConnection::move_into_place(const SqlTable& staging, const SqlTable& table, bool exists) {
  if (exists) execute("DROP TABLE " + qualified(table));
  execute("ALTER TABLE " + qualified(staging) + " RENAME TO " + identifier(table.name));
}

std::string SqlConnection::qualified(const SqlTable& table) const {
  return (table.schema.empty() ? std::string() : identifier(table.schema) + ".") + identifier(table.name);
}

SqlValue SqlConnection::value(const std::string& sql) {
  SqlValue found;
  bool first = true;
  query(sql, [&](Row row) {
    if (first && !row.empty()) found = SqlValue(row[0]);
    first = false;
  });
  return found;
}

std::vector<std::string> SqlConnection::first_cells(const std::string& sql) {
  std::vector<std::string> found;
  query(sql, [&](Row row) { found.emplace_back(row[0].bytes); });
  return found;
}

std::string sql_quoted(std::string_view name, char quote) {
  std::string text(1, quote);
  for (const char c : name) {
    text.push_back(c);
    if (c == quote) text.push_back(c);
  }
  text.push_back(quote);
  return text;
}

SqlTable neighbour_table(const SqlTable& table, std::string_view suffix) {
  constexpr size_t kMaxName = 63;
  constexpr size_t kPrefix = 30;
  if (table.name.size() + suffix.size() <= kMaxName) return {.schema = table.schema, .name = table.name + std::string(suffix)};
  size_t end = kPrefix;
  while ((static_cast<unsigned char>(table.name[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return {.schema = table.schema, .name = fmt::format("{}_{:016x}{}", table.name.substr(0, end), hash64(table.name), suffix)};
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

void SqlPool::release() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
  leader_.reset();
  snapshot_.clear();
  has_leader_ = false;
}

void SqlPool::forget_idle() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

std::unique_ptr<SqlConnection> SqlPool::take() {
  const std::lock_guard lock(mutex_);
  if (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }
  if (!has_leader_) {
    leader_ = connect_sql(address_, access_);
    snapshot_ = leader_->share_snapshot();
    has_leader_ = true;
    if (snapshot_.empty()) return std::move(leader_);
  }
  auto connection = connect_sql(address_, access_);
  if (snapshot_.empty()) return connection;
  try {
    connection->join_snapshot(snapshot_);
  } catch (const Error& error) {  // its owner is lost: the next attempt begins a new one
    leader_.reset();
    has_leader_ = false;
    throw TransientError(access_.code, error.what());
  }
  return connection;
}

void SqlPool::give(std::unique_ptr<SqlConnection> connection) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(connection));
}

}  // namespace neardup
