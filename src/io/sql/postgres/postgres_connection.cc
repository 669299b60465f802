// Implements connect_postgres() of sql_connection.h: PostgreSQL by libpq. Its functions, sessions, types and SQL are only here. Rows come
// one by one as text.
//
// Sessions have the same settings on every machine: UTF-8, UTC, ISO dates, floats with all digits.
#include <fmt/format.h>
#include <libpq-fe.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/port/client_library.h"
#include "io/port/retry.h"
#include "io/sql/sql_connection.h"
#include "io/sql/sql_row.h"

namespace neardup {
namespace {

// The library is not linked: load_postgres_library() loads it when a run first needs it. So the functions below have the names of those
// that its headers declare, and hide them inside the namespace neardup: the code below calls the loaded ones, and cannot call others
// without a linker error.
#define NEARDUP_POSTGRES_FUNCTIONS(X) \
  X(PQclear)                          \
  X(PQcmdTuples)                      \
  X(PQconnectdbParams)                \
  X(PQerrorMessage)                   \
  X(PQexecParams)                     \
  X(PQfinish)                         \
  X(PQfmod)                           \
  X(PQfname)                          \
  X(PQftype)                          \
  X(PQgetResult)                      \
  X(PQgetisnull)                      \
  X(PQgetlength)                      \
  X(PQgetvalue)                       \
  X(PQnfields)                        \
  X(PQresultErrorField)               \
  X(PQresultStatus)                   \
  X(PQsendQueryParams)                \
  X(PQsetNoticeProcessor)             \
  X(PQsetSingleRowMode)               \
  X(PQstatus)

NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

// Throws Error{kUsage} that names the package if the library is not installed. Thread-safe; the functions can be called afterwards.
void load_postgres_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "PostgreSQL", .file = "libpq.so.5", .package = "libpq5"});
    NEARDUP_POSTGRES_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

constexpr uint64_t kMaxStatement = 64u << 20;  // the server takes 1 GB

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

// A session: how it is opened, statements, and what its errors mean. For one thread at a time. Errors are Error{access.code} with the
// address as shown; TransientError if a retry may help.
class PostgresClient {
 public:
  struct ClearResult {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
  };
  using Result = std::unique_ptr<PGresult, ClearResult>;

  PostgresClient(const SqlAddress& address, const SqlAccess& access);

  // One statement; visit() gets each row as it arrives, as a result of one row.
  void run(const std::string& sql, const std::function<void(const PGresult*)>& visit);
  // The result of one statement with all of its rows.
  [[nodiscard]] Result whole(const std::string& sql) const;
  // Rows, by the last statement that run() ran.
  [[nodiscard]] uint64_t changed() const noexcept { return changed_; }

 private:
  struct Close {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
  };

  void connect();
  [[noreturn]] void refuse() const;
  [[noreturn]] void fail(const PGresult* result) const;

  const SqlAddress address_;
  const SqlAccess access_;
  std::unique_ptr<PGconn, Close> connection_;
  uint64_t changed_ = 0;
};

PostgresClient::PostgresClient(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access) {
  connect();
  if (PQstatus(connection_.get()) != CONNECTION_OK) refuse();
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  for (const char* setting : {"SET DateStyle TO 'ISO, YMD'", "SET IntervalStyle TO 'postgres'", "SET TimeZone TO 'UTC'",
                              "SET extra_float_digits TO 3", "SET bytea_output TO 'hex'", "SET standard_conforming_strings TO on",
                              "SET statement_timeout TO 0", "SET idle_in_transaction_session_timeout TO 0"})
    run(setting, [](const PGresult*) {});
}

void PostgresClient::connect() {
  std::map<std::string, std::string> settings{{"connect_timeout", "10"}, {"application_name", "neardup"}};
  for (const auto& [name, value] : address_.settings) settings[name] = value;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) settings[name] = value;
  };
  set("host", address_.host);
  set("port", address_.port);
  set("user", address_.user);
  set("password", address_.password);
  set("dbname", address_.database);
  settings["client_encoding"] = "UTF8";
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(PQconnectdbParams(names.data(), values.data(), 0));
}

void PostgresClient::run(const std::string& sql, const std::function<void(const PGresult*)>& visit) {
  // The extended protocol accepts only one statement, which prevents injection by names or conditions.
  if (PQsendQueryParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 0 ||
      PQsetSingleRowMode(connection_.get()) == 0)
    fail(nullptr);
  Result bad;
  changed_ = 0;
  while (Result result{PQgetResult(connection_.get())}) {
    switch (PQresultStatus(result.get())) {
      case PGRES_SINGLE_TUPLE:
        visit(result.get());
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
      case PGRES_EMPTY_QUERY:
        changed_ = std::strtoull(PQcmdTuples(result.get()), nullptr, 10);
        break;
      default:
        bad = std::move(result);
    }
  }
  if (bad) fail(bad.get());
  if (PQstatus(connection_.get()) != CONNECTION_OK) fail(nullptr);
}

PostgresClient::Result PostgresClient::whole(const std::string& sql) const {
  Result result(PQexecParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) fail(result.get());
  return result;
}

// Wrong users and databases are final errors; an unavailable server may come back.
void PostgresClient::refuse() const {
  const std::string why = scrub(address_, PQerrorMessage(connection_.get()));
  const std::string message = fmt::format("cannot connect to '{}': {}", address_.shown, why);
  const bool final = why.find("FATAL") != std::string::npos && why.find("starting up") == std::string::npos &&
                     why.find("shutting down") == std::string::npos && why.find("too many") == std::string::npos &&
                     why.find("recovery") == std::string::npos;
  if (final || why.find("invalid") != std::string::npos || why.find("no password") != std::string::npos) throw Error(access_.code, message);
  throw TransientError(access_.code, message);
}

void PostgresClient::fail(const PGresult* result) const {
  const char* state = result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  const std::string code = state != nullptr ? state : "";
  const char* primary = result != nullptr ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  std::string why = primary != nullptr ? primary : PQerrorMessage(connection_.get());
  if (const char* detail = result != nullptr ? PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL) : nullptr)
    why += fmt::format(" ({})", detail);
  const std::string message = fmt::format("'{}': {}", address_.shown, scrub(address_, why));
  static const std::set<std::string> later = {"57P01", "57P02", "57P03", "40001", "40P01", "53300", "55P03"};
  if (PQstatus(connection_.get()) != CONNECTION_OK || code.starts_with("08") || later.contains(code)) {
    throw TransientError(access_.code, message);
  }
  throw Error(access_.code, message);
}

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

// Sets the members that follow from pg_type.oid and pg_type.typcategory of the column's type.
void set_postgres_family(SqlColumn& column, Oid type, std::string_view category) {
  column.family = family_of(type, category);
  if (column.family == SqlFamily::kArray) column.read = "to_json(" + sql_quoted(column.name, '"') + ")";
  if (column.family == SqlFamily::kJson) column.unordered = "it is JSON";
}

// A row as cells; converted values are valid until the next row.
class PostgresRow {
 public:
  // Of a result of one row.
  SqlConnection::Row cells(const PGresult* result) {
    const int count = PQnfields(result);
    row_.resize(static_cast<size_t>(count));
    storage_.resize(row_.size());
    for (int i = 0; i < count; ++i) row_[static_cast<size_t>(i)] = cell(result, i, storage_[static_cast<size_t>(i)]);
    return row_;
  }

 private:
  std::vector<SqlCell> row_;
  std::vector<std::string> storage_;
};

class PostgresConnection final : public SqlConnection {
 public:
  PostgresConnection(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access), client_(address, access) {}

  void query(const std::string& sql, const Visit& visit) override {
    PostgresRow row;
    client_.run(sql, [&](const PGresult* result) { visit(row.cells(result)); });
  }

  // A literal in quotes takes the type of its context.
  [[nodiscard]] std::string literal(const SqlCell& value) override {
    if (value.kind == SqlKind::kNull) return SqlConnection::literal(value);
    return value.kind == SqlKind::kBytes ? "'\\x" + to_hex(value.bytes) + "'" : text_literal(value.bytes);
  }
  [[nodiscard]] std::string literal_for(const SqlColumn& column, const SqlCell& value) override {
    if (column.family == SqlFamily::kArray && value.kind == SqlKind::kJson) return text_literal(postgres_array(value.bytes));
    return SqlConnection::literal_for(column, value);
  }
  [[nodiscard]] uint64_t max_statement_bytes() const noexcept override { return kMaxStatement; }

  std::vector<SqlColumn> columns(const SqlTable& table) override {
    std::vector<SqlColumn> found;
    query(fmt::format("SELECT a.attname, format_type(a.atttypid, a.atttypmod), "
                      "CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END, t.typcategory, "
                      "CASE WHEN a.attcollation <> t.typcollation THEN (SELECT ' COLLATE ' || quote_ident(n.nspname) || '.' || "
                      "quote_ident(c.collname) FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace "
                      "WHERE c.oid = a.attcollation) ELSE '' END, a.attgenerated <> '' "
                      "FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "
                      "WHERE a.attrelid = to_regclass({}) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
                      name_of(table)),
          [&](Row row) {
            SqlColumn column;
            column.name = row[0].bytes;
            column.type = std::string(row[1].bytes) + std::string(row[4].bytes);
            column.is_generated = row[5].bytes == "true";
            set_postgres_family(column, static_cast<Oid>(std::stoul(std::string(row[2].bytes))), row[3].bytes);
            found.push_back(std::move(column));
          });
    return found;
  }

  std::vector<SqlColumn> columns_of(const std::string& from) override {
    const PostgresClient::Result result = client_.whole("SELECT * FROM " + from + " LIMIT 0");
    std::vector<SqlColumn> found;
    for (int i = 0; i < PQnfields(result.get()); ++i) {
      const Oid type = PQftype(result.get(), i);
      SqlColumn column;
      column.name = PQfname(result.get(), i);
      std::string category;
      query(fmt::format("SELECT typcategory, format_type(oid, {}) FROM pg_type WHERE oid = {}", PQfmod(result.get(), i), type),
            [&](Row row) {
              category = row[0].bytes;
              column.type = row[1].bytes;
            });
      set_postgres_family(column, type, category);
      found.push_back(std::move(column));
    }
    return found;
  }

  std::vector<std::string> primary_key(const SqlTable& table) override {
    return first_cells(
        fmt::format("SELECT a.attname FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, at) "
                    "JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum "
                    "WHERE i.indrelid = to_regclass({}) AND i.indisprimary ORDER BY k.at",
                    name_of(table)));
  }

  std::string identity(const SqlTable& table) override {
    return "postgresql " + value(fmt::format("SELECT pg_postmaster_start_time()::text || ' ' || current_database() || ' ' || "
                                             "coalesce(to_regclass({})::oid::text, 'none')",
                                             name_of(table)))
                               .bytes;
  }

  std::string share_snapshot() override {
    execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return value("SELECT pg_export_snapshot()").bytes;
  }
  void join_snapshot(const std::string& name) override {
    execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    execute("SET TRANSACTION SNAPSHOT " + sql_quoted(name, '\''));
  }

  void prepare_writing() override { execute("SET lock_timeout TO '60s'"); }
  [[nodiscard]] std::string type_for(SqlNeed need, bool) const override {
    switch (need) {
      case SqlNeed::kBoolean:
        return "boolean";
      case SqlNeed::kInteger:
      case SqlNeed::kBigInteger:
        return "bigint";
      case SqlNeed::kDouble:
        return "double precision";
      case SqlNeed::kDecimal:
        return "numeric";
      case SqlNeed::kJson:
        return "jsonb";
      case SqlNeed::kNothing:
      case SqlNeed::kText:
        break;
    }
    return "text COLLATE \"C\"";
  }
  [[nodiscard]] std::string differs(const std::string& a, const std::string& b) const override {
    return "(" + a + ")::text COLLATE \"C\" IS DISTINCT FROM (" + b + ")::text";
  }
  [[nodiscard]] std::string change_type(const std::string& table, const std::string& column, const std::string& type) const override {
    const std::string base = type.substr(0, type.find(" COLLATE"));
    return fmt::format("ALTER TABLE {0} ALTER COLUMN {1} TYPE {2} USING ({1}::text)::{3}", table, column, type, base);
  }

 private:
  [[nodiscard]] uint64_t changed() override { return client_.changed(); }
  [[nodiscard]] std::string text_literal(std::string_view text) override {
    if (text.find('\0') != std::string_view::npos) {
      throw Error(access_.code, fmt::format("'{}': a text of PostgreSQL cannot hold a zero byte (U+0000)", address_.shown));
    }
    return sql_quoted(text, '\'');  // standard_conforming_strings is on: a backslash is a backslash
  }
  // The table as text that to_regclass() reads.
  [[nodiscard]] std::string name_of(const SqlTable& table) const { return sql_quoted(qualified(table), '\''); }

  const SqlAddress address_;
  const SqlAccess access_;
  PostgresClient client_;
};

}  // namespace

std::unique_ptr<SqlConnection> connect_postgres(const SqlAddress& address, const SqlAccess& access) {
  load_postgres_library();
  return std::make_unique<PostgresConnection>(address, access);
}

}  // namespace neardup
