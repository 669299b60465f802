// Implements connect_mysql() of sql_connection.h: MySQL and MariaDB by libmariadb, which supports both. Its functions, sessions and SQL are
// only here.
//
// Rows come one by one as text, in utf8mb4 and UTC. A snapshot belongs to one connection, so none is taken: each batch sees the current
// table.
#include <fmt/format.h>
#include <mysql.h>

#include <algorithm>
#include <cstdint>
#include <functional>
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

namespace neardup {
namespace {

// The library is not linked: load_mysql_library() loads it when a run first needs it. So the functions below have the names of those that
// its headers declare, and hide them inside the namespace neardup: the code below calls the loaded ones, and cannot call others without a
// linker error.
#define NEARDUP_MYSQL_FUNCTIONS(X) \
  X(mariadb_field_attr)            \
  X(mysql_affected_rows)           \
  X(mysql_close)                   \
  X(mysql_errno)                   \
  X(mysql_error)                   \
  X(mysql_fetch_fields)            \
  X(mysql_fetch_lengths)           \
  X(mysql_fetch_row)               \
  X(mysql_free_result)             \
  X(mysql_init)                    \
  X(mysql_num_fields)              \
  X(mysql_optionsv)                \
  X(mysql_real_connect)            \
  X(mysql_real_escape_string)      \
  X(mysql_real_query)              \
  X(mysql_use_result)

NEARDUP_MYSQL_FUNCTIONS(NEARDUP_DEFINE_FUNCTION)

// Throws Error{kUsage} that names the package if the library is not installed. Thread-safe; the functions can be called afterwards.
void load_mysql_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const ClientLibrary library({.server = "MySQL or MariaDB", .file = "libmariadb.so.3", .package = "libmariadb3"});
    NEARDUP_MYSQL_FUNCTIONS(NEARDUP_FIND_FUNCTION)
  });
}

constexpr unsigned int kConnectSeconds = 10;
constexpr unsigned int kTalkSeconds = 3600;
constexpr unsigned int kBinaryCharset = 63;

struct FreeResult {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

// A session: how it is opened, statements, and what its errors mean. For one thread at a time. Errors are Error{access.code} with the
// address as shown; TransientError if a retry may help.
class MysqlClient {
 public:
  // Connects in utf8mb4.
  MysqlClient(const SqlAddress& address, const SqlAccess& access);

  // One statement. If it has a result, use(result) fetches the rows, one by one and all of them.
  void run(const std::string& sql, const std::function<void(MYSQL_RES*)>& use);
  // Rows, by the last statement.
  [[nodiscard]] uint64_t changed() { return mysql_affected_rows(mysql_.get()); }
  // In quotes, for a statement of this session.
  [[nodiscard]] std::string quoted(std::string_view text);

 private:
  struct Close {
    void operator()(MYSQL* mysql) const noexcept { mysql_close(mysql); }
  };

  void set(mysql_option option, const void* value) { mysql_optionsv(mysql_.get(), option, value); }
  // Returns the path of the socket, or nothing.
  std::string set_all();
  [[noreturn]] void fail(const char* before = "") const;

  const SqlAddress address_;
  const SqlAccess access_;
  std::unique_ptr<MYSQL, Close> mysql_;
};

MysqlClient::MysqlClient(const SqlAddress& address, const SqlAccess& access)
    : address_(address), access_(access), mysql_(mysql_init(nullptr)) {
  if (mysql_ == nullptr) throw Error(ErrorCode::kResource, "no memory for a connection to MySQL");
  const std::string socket = set_all();
  const auto or_null = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
  const unsigned int port = address.port.empty() ? 0 : static_cast<unsigned int>(std::stoul(address.port));
  if (mysql_real_connect(mysql_.get(), or_null(address.host), or_null(address.user), or_null(address.password), address.database.c_str(),
                         port, or_null(socket), 0) == nullptr) {
    fail("cannot connect to ");
  }
}

std::string MysqlClient::set_all() {
  set(MYSQL_SET_CHARSET_NAME, "utf8mb4");
  set(MYSQL_OPT_CONNECT_TIMEOUT, &kConnectSeconds);
  set(MYSQL_OPT_READ_TIMEOUT, &kTalkSeconds);
  set(MYSQL_OPT_WRITE_TIMEOUT, &kTalkSeconds);
  const unsigned int off = 0;
  set(MYSQL_OPT_LOCAL_INFILE, &off);  // a server must not ask for files
  const auto group = address_.settings.find("default_group");
  set(MYSQL_READ_DEFAULT_GROUP, group == address_.settings.end() ? "client" : group->second.c_str());
  std::string socket;
  for (const auto& [name, value] : address_.settings) {
    if (name == "socket") {
      socket = value;
    } else if (name == "default_file") {
      set(MYSQL_READ_DEFAULT_FILE, value.c_str());
    } else if (name == "ssl_ca") {
      set(MYSQL_OPT_SSL_CA, value.c_str());
    } else if (name == "ssl_cert") {
      set(MYSQL_OPT_SSL_CERT, value.c_str());
    } else if (name == "ssl_key") {
      set(MYSQL_OPT_SSL_KEY, value.c_str());
    } else if (name == "ssl_verify") {
      const auto verify = static_cast<my_bool>(value != "0");
      set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
    } else if (name != "default_group") {
      throw Error(access_.code, fmt::format("'{}': MySQL accepts only the parameters table, query, user, password, socket, default_file, "
                                            "default_group, ssl_ca, ssl_cert, ssl_key and ssl_verify",
                                            address_.shown));
    }
  }
  return socket;
}

void MysqlClient::run(const std::string& sql, const std::function<void(MYSQL_RES*)>& use) {
  if (mysql_real_query(mysql_.get(), sql.data(), static_cast<unsigned long>(sql.size())) != 0) fail();
  const std::unique_ptr<MYSQL_RES, FreeResult> result(mysql_use_result(mysql_.get()));
  if (result != nullptr) use(result.get());
  if (mysql_errno(mysql_.get()) != 0) fail();
}

std::string MysqlClient::quoted(std::string_view text) {
  std::string escaped(text.size() * 2 + 1, '\0');
  escaped.resize(mysql_real_escape_string(mysql_.get(), escaped.data(), text.data(), static_cast<unsigned long>(text.size())));
  return "'" + escaped + "'";
}

void MysqlClient::fail(const char* before) const {
  const unsigned int number = mysql_errno(mysql_.get());
  const std::string message = fmt::format("{}'{}': {}", before, address_.shown, scrub(address_, mysql_error(mysql_.get())));
  // Connection lost, too many connections, shutting down, lock timeout, deadlock, killed.
  static const std::set<unsigned int> later = {2002, 2003, 2006, 2013, 2055, 1040, 1053, 1205, 1213, 1317, 1927};
  if (later.contains(number)) throw TransientError(access_.code, message);
  throw Error(access_.code, message);
}

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

// The columns of a SELECT statement; it does not give types.
std::vector<SqlColumn> columns_in(MYSQL_RES* result) {
  std::vector<SqlColumn> found;
  const MYSQL_FIELD* fields = mysql_fetch_fields(result);
  for (unsigned int i = 0; i < mysql_num_fields(result); ++i) found.push_back(column_of(fields[i]));
  return found;
}

// Fetches the rows one by one, until the last or an error, which the session keeps.
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

class MysqlConnection final : public SqlConnection {
 public:
  MysqlConnection(const SqlAddress& address, const SqlAccess& access) : client_(address, access) {
    execute("SET time_zone = '+00:00'");
    max_bytes_ = std::stoull(value("SELECT @@max_allowed_packet").bytes);
    is_mariadb_ = value("SELECT VERSION()").bytes.find("MariaDB") != std::string::npos;
  }

  void query(const std::string& sql, const Visit& visit) override {
    client_.run(sql, [&](MYSQL_RES* result) { visit_rows(result, visit); });
  }

  [[nodiscard]] std::string identifier(std::string_view name) const override { return sql_quoted(name, '`'); }
  [[nodiscard]] uint64_t max_statement_bytes() const noexcept override { return max_bytes_ - 1024; }

  std::vector<SqlColumn> columns(const SqlTable& table) override {
    if (value("SELECT COUNT(*) FROM information_schema.tables WHERE " + is_table(table)).bytes == "0") return {};
    std::vector<SqlColumn> found = columns_of(qualified(table));
    size_t at = 0;
    query("SELECT COLUMN_NAME, COLUMN_TYPE, CHARACTER_SET_NAME, COLLATION_NAME, EXTRA FROM information_schema.columns WHERE " +
              is_table(table) + " ORDER BY ORDINAL_POSITION",
          [&](Row row) {
            while (at < found.size() && found[at].name != row[0].bytes) ++at;
            if (at == found.size()) return;
            found[at].type = row[1].bytes;
            if (row[2].kind != SqlKind::kNull && found[at].family != SqlFamily::kJson) {
              found[at].type += fmt::format(" CHARACTER SET {} COLLATE {}", row[2].bytes, row[3].bytes);
            }
            if (found[at].family == SqlFamily::kJson) found[at].type = "json";
            found[at].is_generated = row[4].bytes.find("GENERATED") != std::string_view::npos &&
                                     row[4].bytes.find("DEFAULT_GENERATED") == std::string_view::npos;
          });
    return found;
  }

  std::vector<SqlColumn> columns_of(const std::string& from) override {
    std::vector<SqlColumn> found;
    client_.run("SELECT * FROM " + from + " LIMIT 0", [&](MYSQL_RES* result) {
      found = columns_in(result);
      visit_rows(result, [](Row) {});
    });
    return found;
  }

  std::vector<std::string> primary_key(const SqlTable& table) override {
    return first_cells("SELECT COLUMN_NAME FROM information_schema.statistics WHERE INDEX_NAME = 'PRIMARY' AND " + is_table(table) +
                       " ORDER BY SEQ_IN_INDEX");
  }

  std::string identity(const SqlTable& table) override {
    return "mysql " +
           value(fmt::format("SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, {}, {})", schema_of(table), text_literal(table.name)))
               .bytes;
  }

  // Values are stored exactly or are errors, never cut or rounded; 0 is a value of an AUTO_INCREMENT column; existing invalid dates are
  // allowed.
  void prepare_writing() override {
    execute("SET sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'");
    execute("SET lock_wait_timeout = 60");
  }
  [[nodiscard]] std::string type_for(SqlNeed need, bool is_key) const override {
    switch (need) {
      case SqlNeed::kBoolean:
        return "tinyint(1)";
      case SqlNeed::kInteger:
      case SqlNeed::kBigInteger:
        return "bigint";
      case SqlNeed::kDouble:
        return "double";
      case SqlNeed::kJson:
        return "json";
      default:
        break;
    }
    // Collations that distinguish 'a' from 'A' and from 'a '.
    const char* collation = is_mariadb_ ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
    return fmt::format("{} CHARACTER SET utf8mb4 COLLATE {}", is_key ? "varchar(512)" : "longtext", collation);
  }
  // A text needs a maximum length to be a key.
  [[nodiscard]] std::string key_type(const std::string& type) const override {
    const size_t end = std::min(type.find(' '), type.size());
    if (type.substr(0, end).ends_with("text")) return "varchar(512)" + type.substr(end);
    return type.substr(0, end).ends_with("blob") ? "varbinary(2048)" : type;
  }
  [[nodiscard]] std::string differs(const std::string& a, const std::string& b) const override {
    return "NOT (CAST(" + a + " AS BINARY) <=> CAST(" + b + " AS BINARY))";
  }
  [[nodiscard]] std::string change_type(const std::string& table, const std::string& column, const std::string& type) const override {
    return fmt::format("ALTER TABLE {} MODIFY COLUMN {} {}", table, column, type);
  }
  std::string update_from(const std::string& table, const std::string& from, const std::vector<std::string>& columns,
                          const std::string& condition) const override {
    std::vector<std::string> sets;
    sets.reserve(columns.size());
    for (const std::string& column : columns) sets.push_back(fmt::format("t.{0} = s.{0}", column));
    return "UPDATE " + table + " AS t JOIN " + from + " AS s ON " + condition + " SET " + joined(sets);
  }
  // No transaction spans two of these statements, but RENAME TABLE is one step for all of its tables.
  void move_into_place(const SqlTable& staging, const SqlTable& table, bool exists) override {
    const SqlTable old = neighbour_table(table, "_neardup_old");
    if (exists) {
      execute("DROP TABLE IF EXISTS " + qualified(old));
      execute(fmt::format("RENAME TABLE {0} TO {1}, {2} TO {0}", qualified(table), qualified(old), qualified(staging)));
      execute("DROP TABLE " + qualified(old));
    } else {
      execute("RENAME TABLE " + qualified(staging) + " TO " + qualified(table));
    }
  }

 private:
  [[nodiscard]] uint64_t changed() override { return client_.changed(); }
  [[nodiscard]] std::string text_literal(std::string_view text) override { return client_.quoted(text); }
  [[nodiscard]] std::string schema_of(const SqlTable& table) { return table.schema.empty() ? "DATABASE()" : text_literal(table.schema); }
  [[nodiscard]] std::string is_table(const SqlTable& table) {
    return fmt::format("TABLE_SCHEMA = {} AND TABLE_NAME = {}", schema_of(table), text_literal(table.name));
  }

  MysqlClient client_;
  uint64_t max_bytes_ = 1u << 20;
  bool is_mariadb_ = false;
};

}  // namespace

std::unique_ptr<SqlConnection> connect_mysql(const SqlAddress& address, const SqlAccess& access) {
  load_mysql_library();
  return std::make_unique<MysqlConnection>(address, access);
}

}  // namespace neardup
