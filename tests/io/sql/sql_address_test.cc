#include "io/sql/sql_address.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io/sql/sql_connection.h"

namespace neardup {
namespace {

SqlAddress parse(std::string_view uri) {
  return parse_sql_address(uri);
}

std::string error_of(std::string_view uri) {
  try {
    parse(uri);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(SqlAddress, FilesOfSqlite) {
  EXPECT_EQ(parse("sqlite:///a/b.db?table=docs").database, "/a/b.db");
  EXPECT_EQ(parse("sqlite://a%20b.db?table=docs").database, "a b.db");
  EXPECT_EQ(parse("sqlite://x/y.db?table=docs").table, (SqlTable{.schema = "", .name = "docs"}));
}

TEST(SqlAddress, ServersUsersAndSockets) {
  const SqlAddress full = parse("postgresql://me:p%40ss:w@host.example:5433/my%2Fdb?table=s.docs&sslmode=require");
  EXPECT_EQ(full.server, SqlServer::kPostgres);
  EXPECT_EQ(full.user, "me");
  EXPECT_EQ(full.password, "p@ss:w");
  EXPECT_EQ(full.host, "host.example");
  EXPECT_EQ(full.port, "5433");
  EXPECT_EQ(full.database, "my/db");
  EXPECT_EQ(full.table, (SqlTable{.schema = "s", .name = "docs"}));
  EXPECT_EQ(full.settings.at("sslmode"), "require");
  EXPECT_EQ(full.shown, "postgresql://host.example:5433/my%2Fdb?table=s.docs&sslmode=require");
  EXPECT_EQ(parse("mysql://a:p/w@x@host/db?table=t").host, "host") << "a password that was not escaped";
  EXPECT_EQ(parse("mysql://[::1]:3307/db?table=t").host, "::1");
  EXPECT_EQ(parse("mysql://[::1]:3307/db?table=t").port, "3307");
  EXPECT_EQ(parse("postgres:///db?table=t&host=/run/pg").host, "/run/pg");
  EXPECT_EQ(parse("mariadb:///db?table=t&socket=/run/s.sock").settings.at("socket"), "/run/s.sock");
  EXPECT_EQ(parse("mysql://h/db?table=t&user=u&password=x").password, "x");
}

TEST(SqlAddress, QueriesLoseTheirSemicolon) {
  const SqlAddress address = parse("mysql://h/db?query=SELECT%20a%2Bb FROM t WHERE c = '%26?%25';%0A ;");
  EXPECT_EQ(address.query, "SELECT a+b FROM t WHERE c = '&?%'");
  EXPECT_TRUE(address.is_query());
}

TEST(SqlAddress, TablesWithDotsAndQuotes) {
  EXPECT_EQ(parse_sql_table("a.b"), (SqlTable{.schema = "a", .name = "b"}));
  EXPECT_EQ(parse_sql_table("\"a.b\""), (SqlTable{.schema = "", .name = "a.b"}));
  EXPECT_EQ(parse_sql_table("\"a.b\".\"c\"\"d\""), (SqlTable{.schema = "a.b", .name = "c\"d"}));
  EXPECT_EQ(parse_sql_table("it's"), (SqlTable{.schema = "", .name = "it's"}));
  for (const char* bad : {"", ".", "a.", ".a", "a.b.c", "\"a", "\"a\"b", "\"\""}) EXPECT_EQ(parse_sql_table(bad).name, "") << bad;
}

RC_GTEST_PROP(SqlAddress, AnyNameSurvivesItsQuotes, ()) {
  const auto name = *rc::gen::nonEmpty(rc::gen::string<std::string>());
  RC_ASSERT(parse_sql_table(sql_quoted(name, '"')) == (SqlTable{.schema = "", .name = name}));
}

TEST(SqlAddress, ErrorsNameThePartAndNoSecret) {
  for (const char* uri :
       {"mysql://me:hidden@h/db", "mysql://me:hidden@h?table=t", "mysql://me:hidden@h:99999/db?table=t", "mysql://me:hidden@h:x/db?table=t",
        "mysql://me:hidden@h/db?table=a.b.c", "mysql://me:hidden%@h/db?table=t", "mysql://me:hidden@h/db?table=t&query=SELECT 1",
        "mysql://me:hidden@h/db?query=%20;", "mysql://me:hidden%00@h/db?table=t", "mysql://h/db?table=t&password=hidden%zz",
        "mysql://me:hidden@[::1/db?table=t"}) {
    const std::string message = error_of(uri);
    EXPECT_EQ(message.find("hidden"), std::string::npos) << message;
    EXPECT_NE(message.find("mysql://"), std::string::npos) << message;
  }
  EXPECT_NE(error_of("sqlite://?table=t").find("no file"), std::string::npos);
  EXPECT_NE(error_of("sqlite://a.db?table=t&mode=ro").find("no parameters but table and query"), std::string::npos);
  EXPECT_NE(error_of("sqlite://a.db?query=x LIKE 'a%'&x").find("%25"), std::string::npos);
}

TEST(SqlAddress, MessagesOfLibrariesLoseUserAndPassword) {
  const SqlAddress address = parse("postgresql://bob:t0psecret@h/db?table=t");
  EXPECT_EQ(scrub(address, "FATAL:  no \"bob\", 'bob' with t0psecret\nDETAIL: bobsled\n"), "FATAL:  no ***, *** with ***; DETAIL: bobsled");
}

}  // namespace
}  // namespace neardup
