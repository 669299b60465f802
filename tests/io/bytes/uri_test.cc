#include "io/bytes/uri.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(Uri, SchemeIsWhatRfc3986Says) {
  EXPECT_EQ(scheme_of("mongodb://host/db.c"), "mongodb");
  EXPECT_EQ(scheme_of("mongodb+srv://host"), "mongodb+srv");
  for (const char* none : {"", "-", "a.jsonl", "dir/a://b", "://x", "1a://x", "C:\\x", "mongodb:/host"})
    EXPECT_EQ(scheme_of(none), "") << none;
}

TEST(Uri, UnknownSchemesAreNamedWithoutSecrets) {
  EXPECT_NO_THROW(require_known_scheme("folder/file.jsonl"));
  try {
    require_known_scheme("s3://key:hidden@bucket/x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("hidden"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("s3:// is not supported"), std::string::npos);
  }
}

TEST(Uri, BrokenOnesAreNoFiles) {
  for (const char* broken : {" mongodb://me:hidden@h/db.c", "mysql:/me:hidden@h/db?table=t", "me:hidden@h/db"}) {
    try {
      require_known_scheme(broken);
      ADD_FAILURE() << broken;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("hidden"), std::string::npos) << error.what();
    }
  }
  for (const char* name : {"a:b.jsonl", "mysql/dump.jsonl", "mail@host.jsonl", "10:30.txt"}) {
    EXPECT_NO_THROW(require_known_scheme(name)) << name;
  }
}

}  // namespace
}  // namespace neardup
