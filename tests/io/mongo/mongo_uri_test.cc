#include "io/mongo/mongo_uri.h"

#include <gmock/gmock.h>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& uri) {
  try {
    MongoPlace::parse(uri);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "";
}

TEST(MongoUri, Takes) {
  EXPECT_TRUE(MongoPlace::takes("mongodb://host/db.c"));
  EXPECT_TRUE(MongoPlace::takes("mongodb+srv://cluster.example.org/db.c"));
  EXPECT_FALSE(MongoPlace::takes("mongodb:host"));
  EXPECT_FALSE(MongoPlace::takes("postgresql://host/db"));
  EXPECT_FALSE(MongoPlace::takes("corpus.jsonl"));
}

TEST(MongoUri, AllParts) {
  const MongoPlace place = MongoPlace::parse("mongodb://anna:p%40ss@B.example:27018,a.example/shop.items.2024?replicaSet=rs0&tls=true");
  EXPECT_EQ(place.uri, "mongodb://anna:p%40ss@B.example:27018,a.example/shop?replicaSet=rs0&tls=true");
  EXPECT_EQ(place.database, "shop");
  EXPECT_EQ(place.collection, "items.2024");
  EXPECT_EQ(place.hosts, "a.example,b.example:27018");
  EXPECT_EQ(place.shown, "mongodb://B.example:27018,a.example/shop.items.2024");
}

TEST(MongoUri, EscapesInNames) {
  const MongoPlace place = MongoPlace::parse("mongodb://h/d%62.%E5%A4%A9%20x%2");
  EXPECT_EQ(place.database, "db");
  EXPECT_EQ(place.collection, "天 x%2");
  EXPECT_EQ(place.uri, "mongodb://h/d%62");
}

TEST(MongoUri, SaysWhatIsMissing) {
  EXPECT_THAT(refusal("mongodb://"), HasSubstr("no host"));
  EXPECT_THAT(refusal("mongodb:///db.c"), HasSubstr("no host"));
  EXPECT_THAT(refusal("mongodb://host"), HasSubstr("no database"));
  EXPECT_THAT(refusal("mongodb://host/"), HasSubstr("no database"));
  EXPECT_THAT(refusal("mongodb://host/.c"), HasSubstr("no database"));
  EXPECT_THAT(refusal("mongodb://host/db"), HasSubstr("no collection"));
  EXPECT_THAT(refusal("mongodb://host/db.?x=1"), HasSubstr("no collection"));
  EXPECT_THAT(refusal("mongodb://host/a b.c"), HasSubstr("no database can have this name"));
  EXPECT_THAT(refusal("mongodb://host/db.a$b"), HasSubstr("'$'"));
}

TEST(MongoUri, ShowsNoCredentials) {
  for (const char* uri : {"mongodb://anna:s3cret@host/db", "mongodb://anna:s3/cret@host/db", "mongodb://anna:s3@cret@host"}) {
    const std::string message = refusal(uri);
    EXPECT_THAT(message, Not(HasSubstr("anna")));
    EXPECT_THAT(message, Not(HasSubstr("s3")));
    EXPECT_THAT(message, Not(HasSubstr("cret")));
  }
}

TEST(MongoUri, SameCollection) {
  const MongoPlace place = MongoPlace::parse("mongodb://a:1,B:2/db.c");
  EXPECT_TRUE(same_collection(place, MongoPlace::parse("mongodb://user@b:2,A:1/db.c?w=1")));
  EXPECT_FALSE(same_collection(place, MongoPlace::parse("mongodb://a:1,B:2/db.d")));
  EXPECT_FALSE(same_collection(place, MongoPlace::parse("mongodb://a:1,B:2/d.c")));
  EXPECT_FALSE(same_collection(place, MongoPlace::parse("mongodb://a:1/db.c")));
}

}  // namespace
}  // namespace neardup
