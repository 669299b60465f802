#include "io/uri.h"

#include <gtest/gtest.h>

#include "io/retry.h"

namespace neardup {
namespace {

TEST(Uri, SchemeIsWhatRfc3986Says) {
  EXPECT_EQ(scheme_of("mongodb://host/db.c"), "mongodb");
  EXPECT_EQ(scheme_of("mongodb+srv://host"), "mongodb+srv");
  for (const char* none : {"", "-", "a.jsonl", "dir/a://b", "://x", "1a://x", "C:\\x", "mongodb:/host"})
    EXPECT_EQ(scheme_of(none), "") << none;
}

TEST(Uri, SecretsAreNotShown) {
  EXPECT_EQ(without_secrets("mongodb://me:pa:ss@host:1/db.c?w=1"), "mongodb://host:1/db.c?w=1");
  EXPECT_EQ(without_secrets("mongodb://me:p/w@x@host/db.c"), "mongodb://host/db.c");
  EXPECT_EQ(without_secrets("mysql://host/db?user=me&Password=x&sslmode=on"), "mysql://host/db?user=***&Password=***&sslmode=on");
  EXPECT_EQ(without_secrets("postgresql://host/db?sslpassword=a@b"), "postgresql://host/db?sslpassword=***");
  EXPECT_EQ(without_secrets("mongodb://me:p?w@host:1/db.c?w=1"), "mongodb://host:1/db.c?w=1");
  EXPECT_EQ(without_secrets("mongodb://me:p/x.y?w@host/db.c"), "mongodb://host/db.c");
  EXPECT_EQ(without_secrets("postgresql://host:5432/db?query=SELECT '@'"), "postgresql://host:5432/db?query=SELECT '@'");
  EXPECT_EQ(without_secrets("mongodb://a:1,b:2/db.c?x=@"), "mongodb://a:1,b:2/db.c?x=@");
  EXPECT_EQ(without_secrets("postgresql://[::1]/db?query=@"), "postgresql://[::1]/db?query=@");
  EXPECT_EQ(without_secrets("a@b.jsonl"), "a@b.jsonl") << "a file's name";
}

TEST(Uri, UnknownSchemesAreNamedWithoutSecrets) {
  EXPECT_NO_THROW(require_known_scheme("folder/file.jsonl", ErrorCode::kInput));
  try {
    require_known_scheme("s3://key:hidden@bucket/x", ErrorCode::kInput);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("hidden"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("'s3://'"), std::string::npos);
  }
}

TEST(Retry, TransientErrorsAreTriedAgainOthersAreNot) {
  const Patience patience{.attempts = 3, .first_wait = std::chrono::milliseconds(1)};
  int calls = 0;
  EXPECT_EQ(retried(patience,
                    [&] {
                      if (++calls < 3) throw TransientError(ErrorCode::kInput, "away");
                      return 7;
                    }),
            7);
  const auto away = [&]() -> int {
    ++calls;
    throw TransientError(ErrorCode::kInput, "away");
  };
  const auto refused = [&]() -> int {
    ++calls;
    throw Error(ErrorCode::kInput, "no");
  };
  calls = 0;
  EXPECT_THROW(retried(patience, away), TransientError);
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_THROW(retried(patience, refused), Error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace neardup
