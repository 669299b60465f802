// PostgresClient: a session with PostgreSQL by libpq: how it is opened, statements, and what its errors mean. Sessions are made alike on
// every machine: UTF-8, UTC, ISO dates, floats with all digits.
//
// For one thread at a time. Errors are Error{access.code} with the address as shown; TransientError for what may pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "io/sql/postgres/postgres_library.h"
#include "io/sql/sql_connection.h"

namespace neardup {

class PostgresClient {
 public:
  struct ClearResult {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
  };
  using Result = std::unique_ptr<PGresult, ClearResult>;

  PostgresClient(const SqlAddress& address, const SqlAccess& access);

  /// One statement; visit() gets each row as it comes, as a result of one row.
  void run(const std::string& sql, const std::function<void(const PGresult*)>& visit);
  /// The result of one statement with all of its rows.
  [[nodiscard]] Result whole(const std::string& sql) const;
  /// Rows, by the last statement that run() ran.
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

}  // namespace neardup
