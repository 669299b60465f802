#include "neardup/tools/find_document.h"

#include <string>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

class FoundDocuments : public IoTest {};

TEST_F(FoundDocuments, HaveNames) {
  const std::string file = write("a.jsonl", "{\"id\":\"x\",\"text\":\"one\"}\n");
  const std::string marked = write("b#c.jsonl", "{\"id\":\"x\",\"text\":\"two\"}\n");
  const auto name = [](const std::string& word) { return parse_document_name(word); };
  EXPECT_FALSE(name(file));
  EXPECT_FALSE(name(marked));
  EXPECT_FALSE(name("-"));
  EXPECT_FALSE(name(path("nowhere.jsonl") + "#x"));
  EXPECT_FALSE(name(file + ":x"));
  EXPECT_FALSE(name(file + ":"));
  EXPECT_FALSE(name("#x"));
  EXPECT_EQ(name(file + "#x")->input, file);
  EXPECT_EQ(name(file + "#x#y")->id, "x#y");
  EXPECT_EQ(name(file + "#x:3")->id, "x:3");
  EXPECT_EQ(name(marked + "#x")->input, marked);
  EXPECT_EQ(name(file + ":12")->row, 12u);
  EXPECT_EQ(name("mongodb://host/db.c#5f")->input, "mongodb://host/db.c");
}

TEST_F(FoundDocuments, AreTheFirstWithTheId) {
  const std::string content =
      "\n{\"id\":\"x\",\"text\":\"one\"}\n{\"id\":7,\"text\":\"seven\"}\n{\"id\":\"x\",\"text\":\"two\"}\n{\"id\":\"y\"}\n";
  for (const std::string& file : {write("a.jsonl", content), write("a.jsonl.gz", gzip_bytes(content))}) {
    EXPECT_EQ(find_document({.input = file, .id = "x"}, {}).text, "one");
    EXPECT_EQ(find_document({.input = file, .id = "7"}, {}).text, "seven");
    EXPECT_EQ(find_document({.input = file, .id = {}, .row = 4}, {}).text, "two");
    EXPECT_TRUE(find_document({.input = file, .id = "x"}, {}).kinds.lines);
    EXPECT_THAT(error_of([&] { find_document({.input = file, .id = "z"}, {}); }), HasSubstr("did you mean 'x', '7'"));
    EXPECT_NE(error_of([&] { find_document({.input = file, .id = "y"}, {}); }), "") << "rejected";
    EXPECT_THAT(error_of([&] { find_document({.input = file, .id = {}, .row = 1}, {}); }), HasSubstr("has no document in row 1"));
    EXPECT_THAT(error_of([&] { find_document({.input = file, .id = {}, .row = 0}, {}); }), HasSubstr("has no document in row 0"));
    EXPECT_THAT(error_of([&] { find_document({.input = file, .id = {}, .row = 99}, {}); }), HasSubstr("in row 99; the last row is "));
  }
  write("texts/a.txt", "the first");
  write("texts/b.txt", "the second");
  EXPECT_EQ(find_document({.input = path("texts"), .id = path("texts/b.txt")}, {}).text, "the second");
  EXPECT_THAT(error_of([&] { find_document({.input = path("texts"), .id = {}, .row = 1}, {}); }), HasSubstr("name the file of row 1"));
}

}  // namespace
}  // namespace neardup::testing
