// MysqlClient: a session with MySQL or MariaDB by libmariadb: how it is opened, statements, and what its errors mean.
//
// For one thread at a time. Errors are Error{access.code} with the address as shown; TransientError for what may pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/sql/mysql/mysql_library.h"
#include "io/sql/sql_connection.h"

namespace neardup {

class MysqlClient {
 public:
  /// Connects in utf8mb4.
  MysqlClient(const SqlAddress& address, const SqlAccess& access);

  /// One statement. If it has a result, use(result) fetches the rows, one by one and all of them.
  void run(const std::string& sql, const std::function<void(MYSQL_RES*)>& use);
  /// Rows, by the last statement.
  [[nodiscard]] uint64_t changed() { return mysql_affected_rows(mysql_.get()); }
  /// In quotes, for a statement of this session.
  [[nodiscard]] std::string quoted(std::string_view text);

 private:
  struct Close {
    void operator()(MYSQL* mysql) const noexcept { mysql_close(mysql); }
  };

  void set(mysql_option option, const void* value) { mysql_optionsv(mysql_.get(), option, value); }
  /// Gives the path of the socket, or nothing.
  std::string set_all();
  [[noreturn]] void fail(const char* before = "") const;

  const SqlAddress address_;
  const SqlAccess access_;
  std::unique_ptr<MYSQL, Close> mysql_;
};

}  // namespace neardup
