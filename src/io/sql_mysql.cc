// MySQL and MariaDB by libmariadb. Rows come one by one as text, in utf8mb4 and UTC. Snapshots are a connection's own there, so none is
// taken: each batch sees the table as it is when it is read.
#include <fmt/format.h>
#include <mysql.h>

#include <algorithm>
#include <array>
#include <set>

#include "io/retry.h"
#include "io/sql_connection.h"

namespace neardup {
namespace {

constexpr unsigned int kBinaryCharset = 63;
constexpr unsigned int kConnectSeconds = 10;
constexpr unsigned int kTalkSeconds = 3600;

struct FreeResult {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};
using Result = std::unique_ptr<MYSQL_RES, FreeResult>;

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

class MysqlConnection final : public SqlConnection {
 public:
  MysqlConnection(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access), mysql_(mysql_init(nullptr)) {
    if (mysql_ == nullptr) throw Error(ErrorCode::kResource, "no memory for a connection to MySQL");
    set(MYSQL_SET_CHARSET_NAME, "utf8mb4");
    set(MYSQL_OPT_CONNECT_TIMEOUT, &kConnectSeconds);
    set(MYSQL_OPT_READ_TIMEOUT, &kTalkSeconds);
    set(MYSQL_OPT_WRITE_TIMEOUT, &kTalkSeconds);
    const unsigned int off = 0;
    set(MYSQL_OPT_LOCAL_INFILE, &off);  // a server must not ask for files
    set(MYSQL_READ_DEFAULT_GROUP, setting("default_group", "client"));
    std::string socket;
    for (const auto& [name, value] : address.settings) {
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
        const my_bool verify = value != "0";
        set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
      } else if (name != "default_group") {
        throw Error(access.code, fmt::format("'{}': MySQL has no parameter '{}' here; there are table, query, user, password, socket, "
                                             "default_file, default_group, ssl_ca, ssl_cert, ssl_key, ssl_verify",
                                             address.shown, name));
      }
    }
    const auto or_null = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
    const unsigned int port = address.port.empty() ? 0 : static_cast<unsigned int>(std::stoul(address.port));
    if (mysql_real_connect(mysql_.get(), or_null(address.host), or_null(address.user), or_null(address.password), address.database.c_str(),
                           port, or_null(socket), 0) == nullptr) {
      fail("cannot connect to ");
    }
    execute("SET time_zone = '+00:00'");
    most_bytes_ = std::stoull(value("SELECT @@max_allowed_packet").bytes);
    is_mariadb_ = value("SELECT VERSION()").bytes.find("MariaDB") != std::string::npos;
  }

  void query(const std::string& sql, const Visit& visit) override {
    if (mysql_real_query(mysql_.get(), sql.data(), static_cast<unsigned long>(sql.size())) != 0) fail();
    const Result result(mysql_use_result(mysql_.get()));
    if (result == nullptr) {
      if (mysql_errno(mysql_.get()) != 0) fail();
      return;
    }
    const unsigned int count = mysql_num_fields(result.get());
    const MYSQL_FIELD* fields = mysql_fetch_fields(result.get());
    std::vector<SqlFamily> families;
    for (unsigned int i = 0; i < count; ++i) families.push_back(family_of(fields + i));
    std::vector<SqlCell> row(count);
    std::vector<std::string> numbers(count);
    while (const MYSQL_ROW values = mysql_fetch_row(result.get())) {
      const unsigned long* lengths = mysql_fetch_lengths(result.get());
      for (unsigned int i = 0; i < count; ++i) row[i] = cell(families[i], values[i], lengths[i], numbers[i]);
      visit(row);
    }
    if (mysql_errno(mysql_.get()) != 0) fail();
  }

  uint64_t execute(const std::string& sql) override {
    query(sql, [](Row) {});
    return mysql_affected_rows(mysql_.get());
  }

  [[nodiscard]] std::string identifier(std::string_view name) const override { return sql_quoted(name, '`'); }

  [[nodiscard]] std::string literal(const SqlCell& value) override {
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
    std::string escaped(value.bytes.size() * 2 + 1, '\0');
    escaped.resize(
        mysql_real_escape_string(mysql_.get(), escaped.data(), value.bytes.data(), static_cast<unsigned long>(value.bytes.size())));
    return "'" + escaped + "'";
  }
  [[nodiscard]] uint64_t most_statement_bytes() const noexcept override { return most_bytes_ - 1024; }

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
    const std::string sql = "SELECT * FROM " + from + " LIMIT 0";
    if (mysql_real_query(mysql_.get(), sql.data(), static_cast<unsigned long>(sql.size())) != 0) fail();
    const Result result(mysql_store_result(mysql_.get()));
    if (result == nullptr) fail();
    std::vector<SqlColumn> found;
    const MYSQL_FIELD* fields = mysql_fetch_fields(result.get());
    for (unsigned int i = 0; i < mysql_num_fields(result.get()); ++i) {
      const MYSQL_FIELD& field = fields[i];
      SqlColumn column;
      column.name = std::string(field.name, field.name_length);
      column.family = family_of(&field);
      // As text a FLOAT has six digits, and bits are bytes.
      if (field.type == MYSQL_TYPE_FLOAT) column.read = "(" + identifier(column.name) + " + 0e0)";
      if (field.type == MYSQL_TYPE_BIT) column.read = "(" + identifier(column.name) + " + 0)";
      if (field.type == MYSQL_TYPE_FLOAT) column.unordered = "a FLOAT is not equal to its own digits";
      if (field.type == MYSQL_TYPE_BIT) column.unordered = "bits are no number and no text";
      if ((field.flags & (ENUM_FLAG | SET_FLAG)) != 0) column.unordered = "an ENUM or SET is sorted by number and compared as text";
      if (column.family == SqlFamily::kJson) column.unordered = "it is JSON";
      found.push_back(std::move(column));
    }
    return found;
  }

  std::vector<std::string> primary_key(const SqlTable& table) override {
    std::vector<std::string> found;
    query("SELECT COLUMN_NAME FROM information_schema.statistics WHERE INDEX_NAME = 'PRIMARY' AND " + is_table(table) +
              " ORDER BY SEQ_IN_INDEX",
          [&](Row row) { found.emplace_back(row[0].bytes); });
    return found;
  }

  std::string identity(const SqlTable& table) override {
    return "mysql " + value(fmt::format("SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, {}, {})", schema_of(table),
                                        literal({SqlKind::kText, table.name})))
                          .bytes;
  }

  // Values as they are or an error, never cut or rounded to fit; 0 is a value of an AUTO_INCREMENT column; dates that were there may stay.
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
    // Collations that tell 'a' from 'A' and from 'a '.
    const char* collation = is_mariadb_ ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
    return fmt::format("{} CHARACTER SET utf8mb4 COLLATE {}", is_key ? "varchar(512)" : "longtext", collation);
  }
  // A text needs a bound to be a key.
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
    for (const std::string& column : columns) sets.push_back("t." + column + " = s." + column);
    return "UPDATE " + table + " AS t JOIN " + from + " AS s ON " + condition + " SET " + joined(sets);
  }
  // No transaction spans two of these statements, but RENAME TABLE is one step for all of its tables.
  void move_into_place(const SqlTable& staging, const SqlTable& table, bool exists) override {
    const SqlTable old = beside(table, "_neardup_old");
    if (exists) {
      execute("DROP TABLE IF EXISTS " + qualified(old));
      execute(fmt::format("RENAME TABLE {0} TO {1}, {2} TO {0}", qualified(table), qualified(old), qualified(staging)));
      execute("DROP TABLE " + qualified(old));
    } else {
      execute("RENAME TABLE " + qualified(staging) + " TO " + qualified(table));
    }
  }

 private:
  struct Close {
    void operator()(MYSQL* mysql) const noexcept { mysql_close(mysql); }
  };

  void set(mysql_option option, const void* value) { mysql_optionsv(mysql_.get(), option, value); }
  [[nodiscard]] const char* setting(const std::string& name, const char* otherwise) const {
    const auto found = address_.settings.find(name);
    return found == address_.settings.end() ? otherwise : found->second.c_str();
  }
  [[nodiscard]] std::string schema_of(const SqlTable& table) {
    return table.schema.empty() ? "DATABASE()" : literal({SqlKind::kText, table.schema});
  }
  [[nodiscard]] std::string is_table(const SqlTable& table) {
    return fmt::format("TABLE_SCHEMA = {} AND TABLE_NAME = {}", schema_of(table), literal({SqlKind::kText, table.name}));
  }

  static SqlCell cell(SqlFamily family, const char* data, unsigned long length, std::string& number) {
    if (data == nullptr) return {};
    const std::string_view bytes(data, length);
    switch (family) {
      case SqlFamily::kNumber:
        number = json_number(bytes);
        return number.empty() ? SqlCell{SqlKind::kText, bytes} : SqlCell{SqlKind::kNumber, number};
      case SqlFamily::kJson:
        return {SqlKind::kJson, bytes};
      case SqlFamily::kBytes:
        return {SqlKind::kBytes, bytes};
      default:
        return {SqlKind::kText, bytes};
    }
  }

  [[noreturn]] void fail(const char* before = "") const {
    const unsigned int number = mysql_errno(mysql_.get());
    const std::string message = fmt::format("{}'{}': {}", before, address_.shown, scrub(address_, mysql_error(mysql_.get())));
    // Gone or lost, too many connections, shutting down, waited too long for a lock, deadlock, killed.
    static const std::set<unsigned int> kLater = {2002, 2003, 2006, 2013, 2055, 1040, 1053, 1205, 1213, 1317, 1927};
    if (kLater.contains(number)) throw TransientError(access_.code, message);
    throw Error(access_.code, message);
  }

  const SqlAddress address_;
  const SqlAccess access_;
  std::unique_ptr<MYSQL, Close> mysql_;
  uint64_t most_bytes_ = 1u << 20;
  bool is_mariadb_ = false;
};

}  // namespace

std::unique_ptr<SqlConnection> connect_mysql(const SqlAddress& address, const SqlAccess& access) {
  return std::make_unique<MysqlConnection>(address, access);
}

}  // namespace neardup
