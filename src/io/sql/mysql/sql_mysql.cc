// MySQL and MariaDB: their SQL. Rows come one by one as text, in utf8mb4 and UTC. Snapshots are a connection's own there, so none is
// taken: each batch sees the table as it is when it is read.
#include <fmt/format.h>

#include <algorithm>

#include "io/sql/mysql/sql_mysql_client.h"
#include "io/sql/mysql/sql_mysql_result.h"
#include "io/sql/sql_connection.h"

namespace neardup {
namespace {

class MysqlConnection final : public SqlConnection {
 public:
  MysqlConnection(const SqlAddress& address, const SqlAccess& access) : client_(address, access) {
    execute("SET time_zone = '+00:00'");
    most_bytes_ = std::stoull(value("SELECT @@max_allowed_packet").bytes);
    is_mariadb_ = value("SELECT VERSION()").bytes.find("MariaDB") != std::string::npos;
  }

  void query(const std::string& sql, const Visit& visit) override {
    client_.run(sql, [&](MYSQL_RES* result) { visit_rows(result, visit); });
  }

  [[nodiscard]] std::string identifier(std::string_view name) const override { return sql_quoted(name, '`'); }
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
    sets.reserve(columns.size());
    for (const std::string& column : columns) sets.push_back(fmt::format("t.{0} = s.{0}", column));
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
  [[nodiscard]] uint64_t changed() override { return client_.changed(); }
  [[nodiscard]] std::string text_literal(std::string_view text) override { return client_.quoted(text); }
  [[nodiscard]] std::string schema_of(const SqlTable& table) { return table.schema.empty() ? "DATABASE()" : text_literal(table.schema); }
  [[nodiscard]] std::string is_table(const SqlTable& table) {
    return fmt::format("TABLE_SCHEMA = {} AND TABLE_NAME = {}", schema_of(table), text_literal(table.name));
  }

  MysqlClient client_;
  uint64_t most_bytes_ = 1u << 20;
  bool is_mariadb_ = false;
};

}  // namespace

std::unique_ptr<SqlConnection> connect_mysql(const SqlAddress& address, const SqlAccess& access) {
  load_mysql_library();
  return std::make_unique<MysqlConnection>(address, access);
}

}  // namespace neardup
