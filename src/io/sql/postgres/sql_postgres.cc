// PostgreSQL: its SQL. Rows come one by one as text.
#include <fmt/format.h>

#include "io/sql/postgres/sql_postgres_client.h"
#include "io/sql/postgres/sql_postgres_types.h"
#include "io/sql/sql_array.h"
#include "io/sql/sql_connection.h"

namespace neardup {
namespace {

constexpr uint64_t kMostStatement = 64u << 20;  // the server takes 1 GB

class PostgresConnection final : public SqlConnection {
 public:
  PostgresConnection(const SqlAddress& address, const SqlAccess& access) : address_(address), access_(access), client_(address, access) {}

  void query(const std::string& sql, const Visit& visit) override {
    PostgresRow row;
    client_.run(sql, [&](const PGresult* result) { visit(row.cells(result)); });
  }

  // A literal in quotes takes the type of what it stands next to.
  [[nodiscard]] std::string literal(const SqlCell& value) override {
    if (value.kind == SqlKind::kNull) return SqlConnection::literal(value);
    return value.kind == SqlKind::kBytes ? "'\\x" + to_hex(value.bytes) + "'" : text_literal(value.bytes);
  }
  [[nodiscard]] std::string literal_for(const SqlColumn& column, const SqlCell& value) override {
    if (column.family == SqlFamily::kArray && value.kind == SqlKind::kJson) return text_literal(postgres_array(value.bytes));
    return SqlConnection::literal_for(column, value);
  }
  [[nodiscard]] uint64_t most_statement_bytes() const noexcept override { return kMostStatement; }

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
