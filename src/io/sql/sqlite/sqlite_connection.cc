// Implements connect_sqlite() of sql_connection.h, by libsqlite3. Each value has the type that it was stored with, regardless of the
// column's. There is no snapshot over several connections: a reader with one would block a writer to the same file forever.
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "base/ascii.h"
#include "io/port/retry.h"
#include "io/sql/sql_connection.h"
#include "io/sql/sql_row.h"

namespace neardup {
namespace {

constexpr int kBusyMs = 60'000;

struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

SqlFamily family_of(std::string type) {
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return type.find("BLOB") != std::string::npos ? SqlFamily::kBytes : SqlFamily::kText;
}

class SqliteConnection final : public SqlConnection {
 public:
  SqliteConnection(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access) {
    // A target may create the file; for a source it must exist.
    const int flags = access.writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int status = sqlite3_open_v2(address.database.c_str(), &database_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    if (status != SQLITE_OK) {
      std::error_code error;
      const bool missing = !access.writes && !std::filesystem::exists(address.database, error) && !error;
      const std::string why = missing                ? "No such file or directory"
                              : database_ != nullptr ? sqlite3_errmsg(database_)
                                                     : sqlite3_errstr(status);
      sqlite3_close(database_);
      throw Error(access.code, fmt::format("cannot open '{}': {}", address.shown, why));
    }
    sqlite3_busy_timeout(database_, kBusyMs);
    try {
      query("SELECT count(*) FROM sqlite_master", [](Row) {});  // reports now if the file is not a database
    } catch (...) {
      sqlite3_close(database_);
      throw;
    }
  }
  ~SqliteConnection() override { sqlite3_close_v2(database_); }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  void query(const std::string& sql, const Visit& visit) override {
    const Statement statement = prepare(sql);
    std::vector<SqlCell> row(static_cast<size_t>(sqlite3_column_count(statement.get())));
    std::vector<std::string> numbers(row.size());
    int status = SQLITE_OK;
    while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
      for (size_t i = 0; i < row.size(); ++i) row[i] = cell(statement.get(), static_cast<int>(i), numbers[i]);
      visit(row);
    }
    if (status != SQLITE_DONE) fail(status);
  }

  [[nodiscard]] std::string literal(const SqlCell& value) override {
    // Numbers beyond integers and doubles stay digits.
    if (value.kind == SqlKind::kNumber && need_of(value) == SqlNeed::kDecimal) return text(value.bytes);
    return SqlConnection::literal(value);
  }
  [[nodiscard]] uint64_t max_statement_bytes() const noexcept override {
    return static_cast<uint64_t>(sqlite3_limit(database_, SQLITE_LIMIT_SQL_LENGTH, -1));
  }

  std::vector<SqlColumn> columns(const SqlTable& table) override {
    std::vector<SqlColumn> found;
    const std::string schema = table.schema.empty() ? "main" : table.schema;
    query(fmt::format("SELECT name, type, hidden FROM pragma_table_xinfo({}, {}) ORDER BY cid", text(table.name), text(schema)),
          [&](Row row) {
            if (row[2].bytes == "1") return;  // of a virtual table
            SqlColumn column;
            column.name = row[0].bytes;
            column.type = row[1].bytes;
            column.family = family_of(column.type);
            column.is_generated = row[2].bytes == "2" || row[2].bytes == "3";
            const char* collation = nullptr;
            if (sqlite3_table_column_metadata(database_, schema.c_str(), table.name.c_str(), column.name.c_str(), nullptr, &collation,
                                              nullptr, nullptr, nullptr) == SQLITE_OK &&
                collation != nullptr && std::string_view(collation) != "BINARY") {
              column.type += " COLLATE " + sql_quoted(collation, '"');
            }
            found.push_back(std::move(column));
          });
    return found;
  }

  std::vector<SqlColumn> columns_of(const std::string& from) override {
    const Statement statement = prepare("SELECT * FROM " + from);
    std::vector<SqlColumn> found;
    for (int i = 0; i < sqlite3_column_count(statement.get()); ++i) {
      const char* type = sqlite3_column_decltype(statement.get(), i);
      const std::string declared = type != nullptr ? type : "";
      found.push_back({.name = sqlite3_column_name(statement.get(), i), .type = declared, .family = family_of(declared)});
    }
    return found;
  }

  std::vector<std::string> primary_key(const SqlTable& table) override {
    return first_cells(fmt::format("SELECT name FROM pragma_table_info({}, {}) WHERE pk > 0 ORDER BY pk", text(table.name),
                                   text(table.schema.empty() ? "main" : table.schema)));
  }

  std::string identity(const SqlTable& table) override {
    std::error_code error;
    const auto path = std::filesystem::canonical(address_.database, error);
    return fmt::format("sqlite {} {}", error ? address_.database : path.native(), ascii_lower(table.name));
  }

  void begin() override { execute("BEGIN IMMEDIATE"); }

  [[nodiscard]] bool any_type() const noexcept override { return true; }
  [[nodiscard]] std::string type_for(SqlNeed need, bool is_key) const override {
    static_cast<void>(is_key);
    switch (need) {
      case SqlNeed::kBoolean:
      case SqlNeed::kInteger:
      case SqlNeed::kBigInteger:
        return "INTEGER";
      case SqlNeed::kDouble:
        return "REAL";
      default:
        return "TEXT";
    }
  }
  [[nodiscard]] std::string differs(const std::string& a, const std::string& b) const override {
    return "(" + a + " IS NOT " + b + " COLLATE BINARY OR typeof(" + a + ") <> typeof(" + b + "))";
  }
  [[nodiscard]] std::string change_type(const std::string&, const std::string&, const std::string&) const override { return {}; }

 private:
  [[nodiscard]] uint64_t changed() override { return static_cast<uint64_t>(sqlite3_changes64(database_)); }
  [[nodiscard]] std::string text_literal(std::string_view value) override {
    return value.find('\0') == std::string_view::npos ? text(value) : "CAST(x'" + to_hex(value) + "' AS TEXT)";
  }

  [[noreturn]] void fail(int status) const {
    const std::string message = fmt::format("'{}': {}", address_.shown, sqlite3_errmsg(database_));
    const int primary = status & 0xFF;
    if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) throw TransientError(access_.code, message);
    throw Error(access_.code, message);
  }

  Statement prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const int status = sqlite3_prepare_v2(database_, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, &tail);
    Statement owned(statement);
    if (status != SQLITE_OK) fail(status);
    const std::string_view rest(tail, sql.size() - static_cast<size_t>(tail - sql.c_str()));
    if (owned == nullptr || rest.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
      throw Error(access_.code, fmt::format("'{}': this is not one SQL statement", address_.shown));
    }
    return owned;
  }

  static SqlCell cell(sqlite3_stmt* statement, int i, std::string& number) {
    const auto bytes = [&](const void* data) {
      return data == nullptr ? std::string_view()
                             : std::string_view(static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(statement, i)));
    };
    switch (sqlite3_column_type(statement, i)) {
      case SQLITE_INTEGER:
        number = std::to_string(sqlite3_column_int64(statement, i));
        return {SqlKind::kNumber, number};
      case SQLITE_FLOAT:
        number = shortest_double(sqlite3_column_double(statement, i));
        return {json_number(number).empty() ? SqlKind::kText : SqlKind::kNumber, number};
      case SQLITE_TEXT:
        return {SqlKind::kText, bytes(sqlite3_column_text(statement, i))};
      case SQLITE_BLOB:
        return {SqlKind::kBytes, bytes(sqlite3_column_blob(statement, i))};
      default:
        return {};
    }
  }
  static std::string text(std::string_view value) { return sql_quoted(value, '\''); }

  const SqlAddress address_;
  const SqlAccess access_;
  sqlite3* database_ = nullptr;
};

}  // namespace

std::unique_ptr<SqlConnection> connect_sqlite(const SqlAddress& address, const SqlAccess& access) {
  return std::make_unique<SqliteConnection>(address, access);
}

}  // namespace neardup
