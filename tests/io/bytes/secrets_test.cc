#include "neardup/tools/secrets.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(WithoutSecrets, ShowsHostsPathsAndHarmlessParameters) {
  EXPECT_EQ(without_secrets("mongodb://me:pa:ss@host:1/db.c?w=1"), "mongodb://host:1/db.c?w=1");
  EXPECT_EQ(without_secrets("mongodb://a:1,b:2/db.c?replicaSet=r"), "mongodb://a:1,b:2/db.c?replicaSet=r");
  EXPECT_EQ(without_secrets("mongodb+srv://me:p%40ss@cluster.example/db.c"), "mongodb+srv://cluster.example/db.c");
  EXPECT_EQ(without_secrets("mysql://host/db?user=me&Password=x&sslmode=on"), "mysql://host/db?user=***&Password=***&sslmode=on");
  EXPECT_EQ(without_secrets("postgresql://host/db?sslpassword=a@b"), "postgresql://host/db?sslpassword=***");
  EXPECT_EQ(without_secrets("postgresql://host:5432/db?query=SELECT '@'"), "postgresql://host:5432/db?query=SELECT '@'");
  EXPECT_EQ(without_secrets("postgresql:///db?table=a.b&host=/run/pg"), "postgresql:///db?table=a.b&host=/run/pg");
  EXPECT_EQ(without_secrets("postgresql://[::1]:5432/db?table=t"), "postgresql://[::1]:5432/db?table=t");
  EXPECT_EQ(without_secrets("mongodb://%2Ftmp%2Fmongodb.sock/db.c"), "mongodb://%2Ftmp%2Fmongodb.sock/db.c");
  EXPECT_EQ(without_secrets("sqlite:///data/10:30.db?table=t"), "sqlite:///data/10:30.db?table=t");
  EXPECT_EQ(without_secrets("s3://bucket/key.jsonl"), "s3://bucket/key.jsonl");
}

TEST(WithoutSecrets, LeavesNamesOfFiles) {
  for (const char* name :
       {"", "-", "a@b.jsonl", "10:30.txt", "mysql/dump.jsonl", "dir/what?.jsonl", "postgres.jsonl", "C:\\x", "dir/a://b"}) {
    EXPECT_EQ(without_secrets(name), name);
    EXPECT_TRUE(has_safe_form(name)) << name;
  }
}

TEST(WithoutSecrets, UnescapedTextBeforeTheLastAtIsHidden) {
  EXPECT_EQ(without_secrets("mongodb://me:p/w@x@host/db.c"), "mongodb://host/db.c");
  EXPECT_EQ(without_secrets("mysql://me:p#[w]:x y@host/db?table=t"), "mysql://host/db?table=t");
}

TEST(WithoutSecrets, AmbiguousUrisAreHidden) {
  for (const char* uri : {"mongodb://me:p?w@host:1/db.c?w=1", "postgresql://bob:123?w@h/db?table=t", "mongodb://me:p/x.y?w@host/db.c",
                          "mongodb://bob:secret", "mysql://bob:12345678", "postgresql://bob:12#w", "mongodb://me:p@w?x@h/db.c"}) {
    const std::string scheme(uri, std::string(uri).find("://") + 3);
    EXPECT_EQ(without_secrets(uri), scheme + "***") << uri;
    EXPECT_FALSE(has_safe_form(uri)) << uri;
  }
  EXPECT_EQ(without_secrets("mysql://h/db?table=t&pass=x&s3cret&a=b"), "mysql://h/db?table=t&pass=***&***&***");
  EXPECT_EQ(without_secrets("postgresql://h/db?query=@"), "postgresql://h/db?query=***");
  EXPECT_EQ(without_secrets("postgresql://h/db?query=select 1?password=w"), "postgresql://h/db?query=***");
  EXPECT_EQ(without_secrets("postgresql://h/db?query=select:w@h"), "postgresql://h/db?query=***");
  EXPECT_EQ(without_secrets("mongodb://h/db.c&pass=w"), "mongodb://***");
  EXPECT_EQ(without_secrets("sqlite://f.db&pass=w"), "sqlite://***");
}

TEST(WithoutSecrets, BrokenUrisAreHidden) {
  for (const char* uri :
       {" mongodb://me:w@h/db.c", "\tmysql://me:w@h/db", "mongodb:/me:w@h/db.c", "mongodb:me:w@h/db.c", "mongodb//me:w@h/db.c",
        "MongoDB:/me:w@h", "1x://me:w@h", "me:w@h/db", "https://me:w@h/x", "MYSQL://me:w@h/db", "s3://b/x?token=w"}) {
    EXPECT_EQ(without_secrets(uri).find('w'), std::string::npos) << without_secrets(uri);
    EXPECT_FALSE(has_safe_form(uri)) << uri;
  }
}

TEST(Secrets, AreHiddenInTextOfOthers) {
  const Secrets secrets("postgresql://bob:t0p%20secret@h/db?table=t&sslpassword=key1");
  EXPECT_EQ(secrets.hide("no \"bob\", 'bob' with t0p secret or t0p%20secret and key1; bobsled"),
            "no ***, *** with *** or *** and ***; bobsled");
  EXPECT_EQ(secrets.hide("invalid 'postgresql://bob:t0p%20secret@h/db?table=t&sslpassword=key1'"),
            "invalid 'postgresql://h/db?table=t&sslpassword=***'");
  EXPECT_EQ(Secrets("mysql://me:x@h/db?table=t").hide("exit 'x' of me"), "exit *** of me") << "a short password only between quotes";
  EXPECT_TRUE(Secrets("corpus.jsonl").empty());
}

}  // namespace
}  // namespace neardup
