// SqlAddress: the parsed URI of a table or query.
//
//   sqlite:///path/to/file.db?table=docs            sqlite://relative.db?table=docs
//   postgresql://[user[:password]@]host[:port]/db?table=schema.docs       (host=/folder names the folder of a Unix socket)
//   mysql://[user[:password]@]host[:port]/db?table=docs                   (socket=/path names a Unix socket)
// ?query=SELECT... instead of table= reads a query. All parts are percent-decoded (RFC 3986); '+' is a plus sign. A dot separates schema
// and table; in table="a.b" (double quotes, doubled inside) it belongs to the name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/tools/secrets.h"

namespace neardup {

enum class SqlServer : uint8_t { kSqlite, kPostgres, kMysql };

struct SqlTable {
  std::string schema;  ///< empty: the server's default
  std::string name;
  friend bool operator==(const SqlTable&, const SqlTable&) = default;
};

struct SqlAddress {
  SqlServer server = SqlServer::kSqlite;
  std::string shown;  ///< the URI without user, password and secrets: for messages
  std::string user;
  std::string password;
  std::string host;  ///< of PostgreSQL also the folder of a socket
  std::string port;
  std::string database;                         ///< of SQLite the path of the file
  SqlTable table;                               ///< or
  std::string query;                            ///< without a ';' at its end
  std::map<std::string, std::string> settings;  ///< the other parameters, for the client library
  Secrets secrets;                              ///< of the URI: for messages of the client library

  [[nodiscard]] bool is_query() const noexcept { return !query.empty(); }
};

/// True if the scheme is one of sqlite, postgresql, postgres, mysql, mariadb.
bool is_sql_uri(std::string_view uri) noexcept;
/// Requires is_sql_uri(). Throws Error{kUsage} that shows no secret.
SqlAddress parse_sql_address(std::string_view uri);
/// "docs", schema.docs, "a.b"."c"
SqlTable parse_sql_table(std::string_view text);

/// The client library's message as one line, without the user and password of the address.
std::string scrub(const SqlAddress& address, std::string message);

}  // namespace neardup
