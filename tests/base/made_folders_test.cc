#include "base/made_folders.h"

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

using MadeFoldersOf = IoTest;

TEST_F(MadeFoldersOf, RemovesWhatItMadeAsFarAsItIsEmpty) {
  std::filesystem::create_directory(path("there"));
  MadeFolders made;
  made.make(path("there/a/b"));
  made.make(path("there/a/c"));
  made.make(path("there/a/c"));
  EXPECT_THAT(listing(), ElementsAre("there", "there/a", "there/a/b", "there/a/c"));
  write("there/a/c/file", "");
  made.remove();
  EXPECT_THAT(listing(), ElementsAre("there", "there/a", "there/a/c", "there/a/c/file"));
}

TEST_F(MadeFoldersOf, WhatCannotBeMadeLeavesNothing) {
  MadeFolders made;
  made.make(path("before"));
  const std::string too_long(300, 'x');
  EXPECT_THAT(error_of([&] { made.make(path("a/b/" + too_long)); }), StartsWith("output: cannot make the folder '" + path("a/b/xxx")));
  EXPECT_THAT(listing(), ElementsAre("before")) << "of this call";
  write("file", "");
  EXPECT_EQ(error_of([&] { made.make(path("file")); }), "output: '" + path("file") + "' is not a folder");
  made.remove();
  EXPECT_THAT(listing(), ElementsAre("file"));
}

}  // namespace
}  // namespace neardup::testing
