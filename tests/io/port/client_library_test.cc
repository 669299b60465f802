#include "io/port/client_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;

// The library of the C runtime's mathematics stands for one that is installed.
constexpr ClientLibrary::Name kInstalled{.server = "Mathematics", .file = "libm.so.6", .package = "libc6"};

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(ClientLibraries, FunctionsAreFound) {
  const ClientLibrary library(kInstalled);
  const auto cosine = reinterpret_cast<double (*)(double)>(library.find("cos"));
  EXPECT_EQ(cosine(0), 1);
}

TEST(ClientLibraries, AMissingOneNamesItsPackage) {
  const std::string message =
      message_of([] { const ClientLibrary library({.server = "PostgreSQL", .file = "libmissing.so.5", .package = "libpq5"}); });
  EXPECT_THAT(message, HasSubstr("PostgreSQL needs its client library libmissing.so.5; install the package libpq5"));
}

TEST(ClientLibraries, AnOldOneLacksAFunction) {
  const ClientLibrary library(kInstalled);
  EXPECT_THAT(message_of([&] { static_cast<void>(library.find("not_a_function")); }),
              HasSubstr("libm.so.6 is too old: it has no function not_a_function; install a newer package libc6"));
}

}  // namespace
}  // namespace neardup
