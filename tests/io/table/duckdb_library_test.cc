#include "io/table/duckdb_library.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/io_fixture.h"

namespace neardup::duck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> paths(const std::string& option, const std::map<std::string, std::string>& environment) {
  std::vector<std::string> found;
  const auto value = [&](const char* name) {
    const auto place = environment.find(name);
    return place == environment.end() ? std::string() : place->second;
  };
  for (const LibraryPlace& place : library_places(option, value, "/opt/bin")) found.push_back(place.path);
  return found;
}

TEST(DuckdbLibrary, WhatTheUserNamesIsTheOnlyPlace) {
  EXPECT_THAT(paths("a.so", {{"NEARDUP_DUCKDB", "b.so"}}), ElementsAre("a.so"));
  EXPECT_THAT(paths("", {{"NEARDUP_DUCKDB", "b.so"}, {"HOME", "/home/u"}}), ElementsAre("b.so"));
}

TEST(DuckdbLibrary, OtherPlacesComeInOrder) {
  EXPECT_THAT(paths("", {{"HOME", "/home/u"}}),
              ElementsAre("/opt/bin/libduckdb.so", "/opt/bin/../lib/libduckdb.so", "/opt/bin/../lib/neardup/libduckdb.so",
                          "/home/u/.cache/neardup/duckdb/libduckdb.so", "/home/u/.local/lib/libduckdb.so", "libduckdb.so",
                          "/usr/local/lib/libduckdb.so"));
  EXPECT_THAT(paths("", {{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "/c"}, {"CONDA_PREFIX", "/conda"}}),
              ElementsAre("/opt/bin/libduckdb.so", "/opt/bin/../lib/libduckdb.so", "/opt/bin/../lib/neardup/libduckdb.so",
                          "/c/neardup/duckdb/libduckdb.so", "/home/u/.local/lib/libduckdb.so", "/conda/lib/libduckdb.so", "libduckdb.so",
                          "/usr/local/lib/libduckdb.so"));
  EXPECT_THAT(paths("", {}), ElementsAre("/opt/bin/libduckdb.so", "/opt/bin/../lib/libduckdb.so", "/opt/bin/../lib/neardup/libduckdb.so",
                                         "libduckdb.so", "/usr/local/lib/libduckdb.so"));
}

using DuckdbLibraryFile = testing::IoTest;

TEST_F(DuckdbLibraryFile, AWrongFileIsNamed) {
  const auto message = [](const std::string& path) {
    try {
      load_library(path);
      return std::string("no error");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return std::string(error.what());
    }
  };
  EXPECT_THAT(message(path("missing.so")), HasSubstr("--duckdb-library: cannot load"));
  EXPECT_THAT(message(write("text.so", "no library")), HasSubstr("text.so"));
  EXPECT_THAT(message("libm.so.6"), HasSubstr("not DuckDB's library"));
}

// Restores a variable of the environment at the end of a test.
class SavedVariable {
 public:
  explicit SavedVariable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) value_ = value;
  }
  SavedVariable(const SavedVariable&) = delete;
  SavedVariable& operator=(const SavedVariable&) = delete;
  ~SavedVariable() {
    if (value_) {
      setenv(name_, value_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> value_;
};

TEST_F(DuckdbLibraryFile, APlaceThatNobodyNamedAndNobodyCanReadIsSkipped) {
  const SavedVariable named("NEARDUP_DUCKDB");
  const SavedVariable cache("XDG_CACHE_HOME");
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  unsetenv("NEARDUP_DUCKDB");
  setenv("XDG_CACHE_HOME", path("loop").c_str(), 1);
  try {
    load_library("");
  } catch (const Error& error) {  // without the library on this machine
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("which was not found"));
  }
}

}  // namespace
}  // namespace neardup::duck
