// SqlConnection: the interface of sources and targets to a database. SqlPool: the connections of a source. One implementation per client
// library: sqlite/sqlite_connection.cc, postgres/postgres_connection.cc, mysql/mysql_connection.cc.
//
// A connection belongs to one thread at a time and holds no more than one row of a result. All names go through identifier() and all values
// through literal(). Errors are Error{code} with the address as shown and the library's message without credentials; TransientError when
// the connection is lost or another client has a lock. After any exception from query() the connection is unusable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/port/retry.h"
#include "io/sql/sql_address.h"
#include "io/sql/sql_value.h"

namespace neardup {

/// The properties of a column that decide how its values are read, compared and written; other types are text.
enum class SqlFamily : uint8_t { kText, kNumber, kBoolean, kJson, kBytes, kArray };

struct SqlColumn {
  std::string name;
  std::string type;  ///< for CREATE TABLE, with character set and collation; empty: none
  SqlFamily family = SqlFamily::kText;
  std::string read{};         ///< the expression that reads it, if that is not the column itself
  std::string unordered{};    ///< not empty: the reason that it cannot be a key
  bool is_generated = false;  ///< the server computes it
};

/// The values that a column of a new table must hold, found from JSON values.
enum class SqlNeed : uint8_t {
  kNothing,
  kBoolean,
  kInteger,     ///< at most 15 digits: a double holds it
  kBigInteger,  ///< at most 64 bits
  kDouble,      ///< at most 15 digits
  kDecimal,     ///< any number
  kText,
  kJson,
};

class SqlConnection {
 public:
  using Row = std::span<const SqlCell>;
  using Visit = std::function<void(Row)>;

  virtual ~SqlConnection() = default;

  /// Runs one statement; passes rows on as they arrive.
  virtual void query(const std::string& sql, const Visit& visit) = 0;
  /// One statement without rows. Returns how many rows it changed.
  uint64_t execute(const std::string& sql);
  [[nodiscard]] virtual std::string identifier(std::string_view name) const;
  /// By default: plain numbers, 1 and 0 for booleans, x'...' for bytes.
  [[nodiscard]] virtual std::string literal(const SqlCell& value);
  /// Maximum bytes of a statement.
  [[nodiscard]] virtual uint64_t max_statement_bytes() const noexcept = 0;

  /// In the table's order. Empty: there is no such table.
  virtual std::vector<SqlColumn> columns(const SqlTable& table) = 0;
  /// Of "SELECT * FROM `from`".
  virtual std::vector<SqlColumn> columns_of(const std::string& from) = 0;
  virtual std::vector<std::string> primary_key(const SqlTable& table) = 0;
  /// Equal for two addresses of one table, and for no other table.
  virtual std::string identity(const SqlTable& table) = 0;

  /// Begins reading a state that other connections can join; empty: not supported by this server.
  virtual std::string share_snapshot() { return {}; }
  virtual void join_snapshot(const std::string& name) { static_cast<void>(name); }

  // Differences in writing.
  /// True if a column takes values of any type.
  [[nodiscard]] virtual bool any_type() const noexcept { return false; }
  virtual void prepare_writing() {}
  virtual void begin() { execute("BEGIN"); }
  void commit() { execute("COMMIT"); }
  /// The type of a column of a new table.
  [[nodiscard]] virtual std::string type_for(SqlNeed need, bool is_key) const = 0;
  /// A value of JSON, or a cell, for a column; `column` may be of an existing table.
  virtual std::string literal_for(const SqlColumn& column, const SqlCell& value);
  /// A condition that the two columns differ by bytes; NULL equals NULL.
  [[nodiscard]] virtual std::string differs(const std::string& a, const std::string& b) const = 0;
  /// A type that may be a primary key and holds what `type` holds.
  [[nodiscard]] virtual std::string key_type(const std::string& type) const { return type; }
  /// The statement that makes a column of another type; not for servers where any_type().
  virtual std::string change_type(const std::string& table, const std::string& column, const std::string& type) const = 0;
  virtual std::string update_from(const std::string& table, const std::string& from, const std::vector<std::string>& columns,
                                  const std::string& condition) const;
  /// Replaces `table`, which `exists` or not, by `staging`. In a transaction if the server supports it.
  virtual void move_into_place(const SqlTable& staging, const SqlTable& table, bool exists);

  [[nodiscard]] std::string qualified(const SqlTable& table) const;
  /// The first cell of the first row, or NULL.
  SqlValue value(const std::string& sql);

 protected:
  /// How many rows the last statement changed.
  [[nodiscard]] virtual uint64_t changed() = 0;
  [[nodiscard]] virtual std::string text_literal(std::string_view text) = 0;
  /// The first cell of every row.
  std::vector<std::string> first_cells(const std::string& sql);
};

struct SqlAccess {
  ErrorCode code = ErrorCode::kInput;  ///< of its errors
  bool writes = false;
};

/// Before a run, retries for an unavailable server end soon; within a run they wait longer (the usual Patience).
inline constexpr Patience kFirstConnection{.attempts = 3};

/// Connects. Throws Error, TransientError.
std::unique_ptr<SqlConnection> connect_sql(const SqlAddress& address, const SqlAccess& access);
std::unique_ptr<SqlConnection> connect_sqlite(const SqlAddress& address, const SqlAccess& access);
std::unique_ptr<SqlConnection> connect_postgres(const SqlAddress& address, const SqlAccess& access);
std::unique_ptr<SqlConnection> connect_mysql(const SqlAddress& address, const SqlAccess& access);

/// The connections of a source. They read one state of the database if the server supports it. Thread-safe.
class SqlPool {
 public:
  SqlPool(SqlAddress address, SqlAccess access) : address_(std::move(address)), access_(access) {}

  /// Calls use(SqlConnection&) with a separate connection, and again with a new one if the connection is lost.
  template <typename Use>
  void with(const Use& use, const Patience& patience = {}) {
    retried(patience, [&] {
      auto connection = take();
      try {
        use(*connection);
      } catch (const TransientError&) {
        forget_idle();  // they are all lost with the server
        throw;
      }
      give(std::move(connection));  // not reached after an exception: such a connection is unusable
    });
  }
  /// Closes the connections, and releases the state that they see.
  void release();

 private:
  void forget_idle();
  std::unique_ptr<SqlConnection> take();
  void give(std::unique_ptr<SqlConnection> connection);

  const SqlAddress address_;
  const SqlAccess access_;
  std::mutex mutex_;
  std::unique_ptr<SqlConnection> leader_;  // holds the snapshot that the others join
  std::string snapshot_;
  bool has_leader_ = false;
  std::vector<std::unique_ptr<SqlConnection>> idle_;
};

/// `name` between two `quote`s; those inside are doubled.
std::string sql_quoted(std::string_view name, char quote);
/// Our own table in the schema of `table`, named after it; within the maximum length of names, which some servers cut silently.
SqlTable neighbour_table(const SqlTable& table, std::string_view suffix);
/// A list for a statement: "a, b, c".
std::string joined(const std::vector<std::string>& parts, std::string_view between = ", ");

}  // namespace neardup
